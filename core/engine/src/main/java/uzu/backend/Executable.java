package uzu.backend;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

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

    /**
     * The token with the largest logit of those below {@link Batch#choices}, the lowest of several, for a row that
     * wanted {@link Wanted#BEST} or more. −1 when one of these logits is not a number, or the largest is infinite.
     */
    int best(int row);

    /** Copies the logits of {@code row}, which wanted them, into {@code into} (vocabulary width). */
    void logits(int row, float[] into);

    /** The logits of {@code row}, which wanted them, for sampling. */
    Logits logits(int row);

    /**
     * Later passes keep the values at these taps, next to each other in this order, until they are closed. What nobody
     * asks for costs nothing. Any thread may ask: the results of the last pass stay what they are.
     *
     * @param taps names of the program's {@link Op.Tap}s
     * @throws uzu.UzuException.InvalidArgument when there is no such tap
     */
    default Features features(List<String> taps) {
        throw new UzuException.InvalidArgument("there are no taps " + taps, Map.of("taps", taps.toString()));
    }

    /** Whether nothing but this executable has used the processors that its passes run on within the last {@code nanos}. */
    default boolean isAlone(long nanos) {
        return true;
    }

    /**
     * Works for a moment on what makes later passes faster, and changes none of their results. Those of the last pass
     * are void then.
     *
     * @param cancelled asked now and then; once true the moment ends
     * @return whether there is more to do
     */
    default boolean improve(BooleanSupplier cancelled) {
        return false;
    }

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
