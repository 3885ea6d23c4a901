package uzu.app;

import java.nio.file.Path;
import uzu.UzuException;

/** A peer's passes over the same file: a program like tools/peer/llama_bench, which says what it is asked. */
final class PeerModel implements Contender {
    /** Whether the peer uses its flash attention. */
    enum Flash {
        /** Where it is the faster one: at short contexts. */
        AUTO,
        ON,
        OFF
    }

    private final PeerProcess process;
    private final Path model;
    private final int[] ids;
    private final Flash flash;
    private boolean loadedWithFlash;

    PeerModel(String program, Path model, int[] ids, Flash flash) {
        this.model = model;
        this.ids = ids;
        this.flash = flash;
        process = new PeerProcess(program);
        try {
            load(flash != Flash.OFF);
        } catch (UzuException failed) {
            close();
            throw failed;
        }
    }

    private void load(boolean withFlash) {
        process.ask("load " + model + "\t" + ids.length + (withFlash ? " on" : " off"));
        process.ids(ids);
        loadedWithFlash = withFlash;
    }

    @Override
    public void useThreads(int threads) {
        process.ask("threads " + threads);
    }

    @Override
    public long nanoseconds(Measure measure) {
        boolean withFlash = flash == Flash.AUTO ? measure.context() < Rounds.LONG_CONTEXT : flash == Flash.ON;
        if (withFlash != loadedWithFlash) {
            load(withFlash);
        }
        return process.nanoseconds(question(measure));
    }

    static String question(Measure measure) {
        return switch (measure) {
            case Measure.Prefill(int tokens) -> "prefill " + tokens;
            case Measure.Decode decode -> "decode " + decode.tokens() + " at " + decode.context();
            case Measure.Rows(int rows, int context) -> "rows " + rows + " at " + context;
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
