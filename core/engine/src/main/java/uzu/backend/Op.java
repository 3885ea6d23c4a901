package uzu.backend;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One step of a pass, over all rows of the batch. Values named as output may be those named as input where noted. */
public sealed interface Op {
    /** What it reads, also where it changes that in place. */
    default List<Value> reads() {
        return switch (this) {
            case Embed embed -> List.of();
            case Input input -> List.of();
            case Norm norm -> List.of(norm.in);
            case MatMul product ->
                Stream.concat(
                                Stream.of(product.in),
                                product.projections.stream()
                                        .filter(Projection::add)
                                        .map(Projection::out))
                        .toList();
            case Rotate rotate -> List.of(rotate.x);
            case Store store -> List.of(store.keys, store.values);
            case Attend attend -> List.of(attend.queries);
            case Gate gate -> List.of(gate.gate, gate.up);
            case Add add -> List.of(add.in, add.out);
            case SoftCap cap -> List.of(cap.x);
            case Tap tap -> List.of(tap.in);
        };
    }

    /** out = scale · table[token of the row]. */
    record Embed(Weight table, float scale, Value out) implements Op {}

    /** out = the row's numbers from outside, {@link Batch#inputs}. All inputs of a program have one width. */
    record Input(Value out) implements Op {}

    /**
     * RMS norm of each run of {@code weight.columns()} columns: out = in / √(mean(in²) + epsilon) · weight. {@code out}
     * may be {@code in}.
     */
    record Norm(Value in, Weight weight, float epsilon, Value out) implements Op {}

    /** Several products with one input, computed together: for each, out = W·in + bias, or out += that. */
    record MatMul(Value in, List<Projection> projections) implements Op {}

    /** {@code weight} is [out.width, in.width]; {@code bias} a vector of out.width. */
    record Projection(Weight weight, @Nullable Weight bias, Value out, boolean add) {}

    /** Rotates every head of {@code headSize} columns of {@code x} in place, by the row's position. */
    record Rotate(Value x, int headSize, Rope rope) implements Op {}

    /** Keeps the row's keys and values of {@code layer} beside the committed ones, rounded to the cache's type. */
    record Store(int layer, Value keys, Value values) implements Op {}

    /**
     * Attention of each row over the committed prefix of its sequence, its ancestors in the batch and itself; unless
     * causal, over its first child, that one's first child and so on, too: each row of a chain sees the whole chain.
     * Query head h reads key/value head h / (heads / kvHeads). Scores are scale · (q·k), softCap · tanh(score / softCap)
     * if softCap > 0; with a window, only positions in (p − window, p] are seen, unless causal those in [p − window/2,
     * p + window/2].
     */
    record Attend(
            Value queries, int layer, int heads, float scale, int window, float softCap, boolean causal, Value out)
            implements Op {
        public Attend(Value queries, int layer, int heads, float scale, int window, float softCap, Value out) {
            this(queries, layer, heads, scale, window, softCap, true, out);
        }
    }

    /** out = activation(gate) · up. {@code out} may be {@code gate}. */
    record Gate(Activation activation, Value gate, Value up, Value out) implements Op {}

    /** out += in. */
    record Add(Value in, Value out) implements Op {}

    /** x = softCap · tanh(x / softCap). */
    record SoftCap(Value x, float softCap) implements Op {}

    /** A copy of {@code in} under {@code name} for who traces the pass or asked for {@link Features}, nothing else. */
    record Tap(String name, Value in) implements Op {}
}
