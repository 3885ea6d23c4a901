package uzu.backend;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A program made ready on a backend. One thread at a time runs passes; results of a pass last until the next. */
public interface Executable extends AutoCloseable {
    /** Most rows of one pass. */
    int maxRows();

    Sequence newSequence();

    /**
     * Runs one pass. Nothing is committed.
     *
     * @param cancelled asked between operations; once true the pass stops and its results are void
     * @param tracer receives each {@link Op.Tap}, or null
     * @return whether the pass ran to its end
     */
    boolean run(Batch batch, BooleanSupplier cancelled, @Nullable Tracer tracer);

    /** Copies the logits of {@code row}, which wanted them, into {@code into} (vocabulary width). */
    void logits(int row, float[] into);

    /** The logits of {@code row}, which wanted them, for sampling. */
    Logits logits(int row);

    /** Bytes of the weights it reads. */
    long weightBytes();

    /** Bytes held: weights, scratch, keys and values. */
    long memoryBytes();

    @Override
    void close();

    /** Sees the traced values of a pass. */
    interface Tracer {
        /** @param values rows × width, row after row; the head's taps have only the rows that wanted logits */
        void tap(String name, int rows, int width, float[] values);
    }
}
