package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** One control token. */
final class ControlFrame extends Frame {
    private final int token;

    ControlFrame(int token) {
        this.token = token;
    }

    @Override
    void step(int b, Stack below, Threads out) {
        // A control token has no bytes.
    }

    @Override
    void stepControl(int taken, Stack below, Threads out) {
        if (taken == token) {
            out.end(0, below);
        }
    }

    @Override
    int control() {
        return token;
    }

    @Override
    int cost(Stack below) {
        return Cost.sum(1, below.cost());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ControlFrame control && token == control.token;
    }

    @Override
    public int hashCode() {
        return token;
    }
}
