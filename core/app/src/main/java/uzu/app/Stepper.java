package uzu.app;

import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/** A model fed with chunks of one sequence, whose logits are wanted for every token. */
final class Stepper implements AutoCloseable {
    private final CpuBackend backend;
    private final LanguageModel model;
    private final Sequence sequence;

    Stepper(String path, CpuOptions options) {
        backend = CpuBackend.open(options);
        try (Checkpoint checkpoint = Models.open(path)) {
            model = LanguageModel.load(checkpoint, backend);
        }
        sequence = model.executable().newSequence();
    }

    Executable executable() {
        return model.executable();
    }

    int vocabulary() {
        return model.vocabularySize();
    }

    /** Starts the sequence anew. */
    void reset() {
        sequence.truncate(0);
    }

    /** Computes and commits {@code count} tokens from {@code from} on; the logits are the executable's. */
    void feed(int[] ids, int from, int count) {
        Chain chain = new Chain(sequence, ids, from, count, true);
        model.executable().run(chain, () -> false, null);
        chain.commit();
    }

    @Override
    public void close() {
        sequence.close();
        model.close();
        backend.close();
    }
}
