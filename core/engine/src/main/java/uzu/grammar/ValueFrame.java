package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** A JSON value before its first byte. */
final class ValueFrame extends Frame {
    private final ValueShape shape;

    ValueFrame(ValueShape shape) {
        this.shape = shape;
    }

    @Override
    void step(int b, Stack below, Threads out) {
        shape.step(b, below, out);
    }

    @Override
    long place() {
        return 4 * 64 + shape.kinds();
    }

    @Override
    int cost(Stack below) {
        return Cost.sum(shape.cost(), below.cost());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ValueFrame value && shape == value.shape;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(shape);
    }
}
