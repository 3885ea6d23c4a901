package uzu.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import uzu.UzuException;

/** A peer's passes over the same file: a program like tools/peer/llama_bench, which says what it is asked. */
final class PeerModel implements Contender {
    private static final int SECONDS_TO_END = 5;

    /** Whether the peer uses its flash attention. */
    enum Flash {
        /** Where it is the faster one: at short contexts. */
        AUTO,
        ON,
        OFF
    }

    private final String program;
    private final Path model;
    private final int[] ids;
    private final Flash flash;
    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;
    private boolean loadedWithFlash;

    PeerModel(String program, Path model, int[] ids, Flash flash) {
        this.program = program;
        this.model = model;
        this.ids = ids;
        this.flash = flash;
        try {
            process = new ProcessBuilder(program)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    program + " can't be started: " + e.getMessage(), Map.of("path", program), e);
        }
        answers = process.inputReader(StandardCharsets.UTF_8);
        questions = process.outputWriter(StandardCharsets.UTF_8);
        try {
            load(flash != Flash.OFF);
        } catch (UzuException failed) {
            close();
            throw failed;
        }
    }

    private void load(boolean withFlash) {
        ask("load " + model + "\t" + ids.length + (withFlash ? " on" : " off"));
        ask(Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(" ", "ids ", "")));
        loadedWithFlash = withFlash;
    }

    @Override
    public void useThreads(int threads) {
        ask("threads " + threads);
    }

    @Override
    public long nanoseconds(Measure measure) {
        boolean withFlash = flash == Flash.AUTO ? measure.context() < Rounds.LONG_CONTEXT : flash == Flash.ON;
        if (withFlash != loadedWithFlash) {
            load(withFlash);
        }
        String answer = ask(question(measure));
        if (!answer.matches("ns \\d{1,18}")) {
            throw failure("answered " + answer);
        }
        return Long.parseLong(answer.substring(3));
    }

    static String question(Measure measure) {
        return switch (measure) {
            case Measure.Prefill(int tokens) -> "prefill " + tokens;
            case Measure.Decode decode -> "decode " + decode.tokens() + " at " + decode.context();
            case Measure.Rows(int rows, int context) -> "rows " + rows + " at " + context;
        };
    }

    private String ask(String line) {
        try {
            questions.write(line + "\n");
            questions.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw failure("ended");
            }
            if (answer.startsWith("error ")) {
                throw failure("says: " + answer.substring(6));
            }
            return answer;
        } catch (IOException e) {
            throw failure("ended: " + e.getMessage());
        }
    }

    private UzuException failure(String what) {
        return new UzuException.Internal(program + " " + what, Map.of("path", program));
    }

    @Override
    public void close() {
        try {
            questions.close();
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
