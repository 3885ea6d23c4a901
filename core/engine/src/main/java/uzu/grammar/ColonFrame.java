package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** What comes behind a key: the colon and the value. */
final class ColonFrame extends Frame {
    private final ValueShape value;
    private final boolean behind;
    private final int space;

    private ColonFrame(ValueShape value, boolean behind, int space) {
        this.value = value;
        this.behind = behind;
        this.space = space;
    }

    ColonFrame(ValueShape value) {
        this(value, false, Space.NONE);
    }

    @Override
    void step(int b, Stack below, Threads out) {
        int spaced = behind ? Space.next(space, b) : -1;
        if (spaced >= 0) {
            out.add(new ColonFrame(value, behind, spaced), below);
        } else if (Space.isWhole(space)) {
            if (behind) {
                value.step(b, below, out);
            } else if (b == ':') {
                out.add(new ColonFrame(value, true, Space.NONE), below);
            }
        }
    }

    @Override
    long place() {
        return ((3 * 4 + (behind ? 1 : 0)) * 64 + space) * 64 + value.kinds();
    }

    @Override
    int cost(Stack below) {
        return Cost.sum(Space.cost(space) + (behind ? 0 : 1), Cost.sum(value.cost(), below.cost()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ColonFrame colon
                && value == colon.value
                && behind == colon.behind
                && space == colon.space;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(value) * 31 + 2 * space + (behind ? 1 : 0);
    }
}
