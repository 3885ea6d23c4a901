package uzu.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import uzu.UzuException;

/** A program like tools/peer/llama_bench that answers each line with a line. */
public final class PeerProcess implements AutoCloseable {
    private static final int SECONDS_TO_END = 5;

    private final String program;
    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;

    public PeerProcess(String program) {
        this.program = program;
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
    }

    public String ask(String line) {
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

    /** Asks something that is answered with {@code ns} and a number. */
    public long nanoseconds(String line) {
        String answer = ask(line);
        if (!answer.matches("ns \\d{1,18}")) {
            throw failure("answered " + answer);
        }
        return Long.parseLong(answer.substring(3));
    }

    /** Says which tokens the sequence has. */
    public void ids(int[] ids) {
        ask(Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(" ", "ids ", "")));
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
