package uzu.app.speculation;

import java.nio.file.Path;
import uzu.app.PeerProcess;

/** Plain decoding by tools/peer/llama_bench on the same file, threads and prompt ids. */
final class PeerDecoding implements AutoCloseable {
    /** From so many tokens on llama.cpp is faster without its flash attention; see docs/benchmarks.md. */
    private static final int LONG_PROMPT = 1024;

    private static final int SEED = 7;

    private final PeerProcess process;
    private final Path model;
    private int context;
    private boolean flash;

    PeerDecoding(String program, Path model, int threads) {
        this.model = model;
        process = new PeerProcess(program);
        prepare(1, 1);
        process.ask("threads " + threads);
    }

    /** Draws {@code tokens} after the first one, which comes with the prompt's pass and isn't counted. */
    ReplyFigures answer(int[] prompt, int tokens, Sampling sampling) {
        prepare(prompt.length, prompt.length + tokens + 1);
        process.ids(prompt);
        long nanos = process.nanoseconds(
                "generate " + tokens + " " + sampling.temperature() + " " + sampling.topP() + " " + SEED);
        return ReplyFigures.of(tokens, nanos / 1e9);
    }

    private void prepare(int prompt, int length) {
        boolean wanted = prompt < LONG_PROMPT;
        if (context < length || flash != wanted) {
            flash = wanted;
            while (context < length) {
                context = Math.max(2048, 2 * context);
            }
            process.ask("load " + model + "\t" + context + (flash ? " on" : " off"));
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
