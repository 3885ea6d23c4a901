package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** One way in which a text may go on: a frame, and what comes after it. An immutable list, shared from below. */
final class Stack {
    /** Nothing is to come. */
    static final Stack END = new Stack();

    private final @Nullable Frame frame;
    private final @Nullable Stack below;
    private final int hash;
    private int cost = -1;

    private Stack() {
        frame = null;
        below = null;
        hash = 1;
        cost = 0;
    }

    Stack(Frame frame, Stack below) {
        this.frame = frame;
        this.below = below;
        hash = 31 * below.hash + frame.hashCode();
    }

    boolean isEnd() {
        return frame == null;
    }

    Frame frame() {
        if (frame == null) {
            throw new IllegalStateException();
        }
        return frame;
    }

    Stack below() {
        if (below == null) {
            throw new IllegalStateException();
        }
        return below;
    }

    /** Tokens that suffice to end it. */
    int cost() {
        if (cost < 0) {
            cost = frame().cost(below());
        }
        return cost;
    }

    /** Parts below the one on top, no more than 63. */
    int depth() {
        int depth = 0;
        for (Stack at = this; !at.isEnd() && depth < 63; at = at.below()) {
            depth++;
        }
        return depth;
    }

    /** The same stack with another frame on top. */
    Stack with(Frame other) {
        return other == frame ? this : new Stack(other, below());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Stack stack)) {
            return false;
        }
        Stack one = this;
        while (one != stack) {
            if (one.hash != stack.hash || one.frame == null || !one.frame.equals(stack.frame)) {
                return false;
            }
            one = one.below();
            stack = stack.below();
        }
        return true;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
