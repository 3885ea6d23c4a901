package uzu.app;

import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/** Our engine's passes over a model. */
final class OwnModel implements Contender {
    private final CpuBackend backend;
    private final LanguageModel model;
    private final Sequence sequence;
    private final int maxThreads;
    private final int[] ids;
    private int threads;

    /** @param ids makes the ids of the sequence from the size of the vocabulary */
    OwnModel(Checkpoint checkpoint, CpuOptions options, Prompt ids) {
        backend = CpuBackend.open(options);
        model = LanguageModel.load(checkpoint, backend);
        sequence = model.executable().newSequence();
        maxThreads = options.threads();
        threads = maxThreads;
        this.ids = ids.ids(model.vocabularySize());
    }

    /** Ids for a vocabulary. */
    interface Prompt {
        int[] ids(int vocabulary);
    }

    int[] ids() {
        return ids;
    }

    String kernels() {
        return backend.kernels();
    }

    @Override
    public void useThreads(int count) {
        threads = count;
        backend.useThreads(count);
    }

    @Override
    public long nanoseconds(Measure measure) {
        prepare(measure.context());
        long start = System.nanoTime();
        switch (measure) {
            case Measure.Prefill(int tokens) -> feed(0, tokens, true);
            case Measure.Decode decode -> {
                for (int i = 0; i < decode.tokens(); i++) {
                    pass(decode.context() + i, 1, 1).commit();
                }
            }
            case Measure.Rows(int rows, int context) -> pass(context, rows, rows);
        }
        return System.nanoTime() - start;
    }

    /** Leaves or puts {@code context} tokens in the sequence. */
    private void prepare(int context) {
        if (sequence.length() >= context) {
            sequence.truncate(context);
        } else {
            backend.useThreads(maxThreads);
            feed(sequence.length(), context - sequence.length(), false);
            backend.useThreads(threads);
        }
    }

    private void feed(int from, int count, boolean logitsOfLast) {
        int step = model.executable().maxRows();
        for (int at = from; at < from + count; at += step) {
            int rows = Math.min(step, from + count - at);
            boolean last = at + rows == from + count;
            pass(at, rows, last && logitsOfLast ? 1 : 0).commit();
        }
    }

    private Chain pass(int from, int rows, int wanted) {
        Chain chain = new Chain(sequence, ids, from, rows, wanted);
        model.executable().run(chain, () -> false, null);
        return chain;
    }

    @Override
    public void close() {
        sequence.close();
        model.close();
        backend.close();
    }
}
