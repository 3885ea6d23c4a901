package uzu.app.speculation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uzu.UzuException;

/** Decoding by llama.cpp's own llama-speculative-simple with a draft model: a process for each reply. */
record PeerSpeculation(String program, Path model, Path draft, int threads) {
    private static final Pattern PROMPT = Pattern.compile("encoded +(\\d+) tokens");
    private static final Pattern DECODED = Pattern.compile("decoded +(\\d+) tokens in +([0-9.]+) seconds");
    private static final Pattern DRAFTED = Pattern.compile("n_drafted *= *(\\d+)");
    private static final Pattern ACCEPTED = Pattern.compile("n_accept *= *(\\d+)");
    private static final int SEED = 7;

    /**
     * @param promptTokens of the prompt, which must be those that the program makes of it
     * @param tokens most of the reply
     */
    ReplyFigures answer(String prompt, int promptTokens, int tokens, Sampling sampling) {
        try {
            Path file = Files.createTempFile("uzu-prompt", ".txt");
            // The program drops a newline at the end.
            Files.writeString(file, prompt + "\n");
            Process process = new ProcessBuilder(command(file, promptTokens + tokens + 64, tokens, sampling))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            Files.delete(file);
            if (status != 0 || !DECODED.matcher(said).find()) {
                throw failure("ended with status " + status + ": " + said.substring(Math.max(0, said.length() - 400)));
            }
            int read = number(PROMPT, said);
            if (read != promptTokens) {
                throw failure("read the prompt as " + read + " tokens, not " + promptTokens);
            }
            return figures(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }

    private List<String> command(Path prompt, int context, int tokens, Sampling sampling) {
        return List.of(
                program,
                "--model",
                model.toString(),
                "--spec-draft-model",
                draft.toString(),
                "--spec-type",
                "draft-simple",
                "--file",
                prompt.toString(),
                "--no-escape",
                "--ctx-size",
                Integer.toString(context),
                "--batch-size",
                Integer.toString(Math.max(2048, context)),
                "--predict",
                Integer.toString(tokens),
                "--threads",
                Integer.toString(threads),
                "--spec-draft-threads",
                Integer.toString(threads),
                // The two models' threads would spin for work on each other's cores: half the speed.
                "--poll",
                "0",
                "--spec-draft-poll",
                "0",
                "--samplers",
                "temperature;top_p",
                "--temp",
                Double.toString(sampling.temperature()),
                "--top-p",
                Double.toString(sampling.topP()),
                "--seed",
                Integer.toString(SEED));
    }

    private ReplyFigures figures(String said) {
        Matcher decoded = DECODED.matcher(said);
        if (!decoded.find()) {
            throw failure("says no speed");
        }
        int tokens = Integer.parseInt(decoded.group(1));
        int accepted = number(ACCEPTED, said);
        return new ReplyFigures(
                tokens,
                Double.parseDouble(decoded.group(2)),
                tokens - accepted,
                number(DRAFTED, said),
                accepted,
                List.of(),
                0,
                0,
                0,
                true);
    }

    private int number(Pattern pattern, String said) {
        Matcher found = pattern.matcher(said);
        if (!found.find()) {
            throw failure("doesn't say " + pattern);
        }
        return Integer.parseInt(found.group(1));
    }

    private UzuException failure(String what) {
        return new UzuException.Internal(program + " " + what, Map.of("path", program));
    }
}
