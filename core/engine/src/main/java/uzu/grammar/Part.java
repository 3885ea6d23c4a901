package uzu.grammar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a grammar before it is begun. */
abstract class Part {
    /** Adds to {@code out} every way in which it may begin, and if it may be empty, how what is below goes on. */
    abstract void enter(Stack below, Threads out);

    /** Whether it may be empty. */
    abstract boolean mayBeEmpty();

    /** Tokens that suffice for it, as far as is known of the rules in it. */
    abstract int cost();

    /** Parts that may come first. */
    List<Part> firsts() {
        return List.of();
    }

    /** What begins with one frame. */
    static final class Single extends Part {
        private final Frame frame;
        private final int cost;

        Single(Frame frame) {
            this.frame = frame;
            this.cost = frame.cost(Stack.END);
        }

        @Override
        void enter(Stack below, Threads out) {
            out.add(frame, below);
        }

        @Override
        boolean mayBeEmpty() {
            return frame.mayEnd();
        }

        @Override
        int cost() {
            return cost;
        }
    }

    /** A text that an automaton follows, maybe an empty one. */
    static final class Text extends Part {
        private final TextFrame frame;

        Text(TextFrame frame) {
            this.frame = frame;
        }

        @Override
        void enter(Stack below, Threads out) {
            out.add(frame, below);
        }

        @Override
        boolean mayBeEmpty() {
            return frame.mayEnd();
        }

        @Override
        int cost() {
            return frame.cost(Stack.END);
        }
    }

    /** A JSON value. */
    static final class Value extends Part {
        private final ValueShape shape;

        Value(ValueShape shape) {
            this.shape = shape;
        }

        @Override
        void enter(Stack below, Threads out) {
            if (shape.isPossible()) {
                out.add(new ValueFrame(shape), below);
            }
        }

        @Override
        boolean mayBeEmpty() {
            return false;
        }

        @Override
        int cost() {
            return shape.cost();
        }
    }

    /** One after the other. */
    static final class Sequence extends Part {
        private final List<Part> parts;

        Sequence(List<Part> parts) {
            this.parts = List.copyOf(parts);
        }

        @Override
        void enter(Stack below, Threads out) {
            enter(0, below, out);
        }

        void enter(int from, Stack below, Threads out) {
            if (from == parts.size()) {
                out.end(0, below);
            } else {
                boolean last = from + 1 == parts.size();
                parts.get(from).enter(last ? below : new Stack(new Rest(this, from + 1), below), out);
            }
        }

        @Override
        boolean mayBeEmpty() {
            return parts.stream().allMatch(Part::mayBeEmpty);
        }

        @Override
        int cost() {
            return cost(0);
        }

        int cost(int from) {
            int sum = 0;
            for (int i = from; i < parts.size(); i++) {
                sum = Cost.sum(sum, parts.get(i).cost());
            }
            return sum;
        }

        @Override
        List<Part> firsts() {
            int n = 0;
            while (n < parts.size() && parts.get(n).mayBeEmpty()) {
                n++;
            }
            return parts.subList(0, Math.min(n + 1, parts.size()));
        }
    }

    /** Any one. */
    static final class Choice extends Part {
        private final List<Part> alternatives;

        Choice(List<Part> alternatives) {
            this.alternatives = List.copyOf(alternatives);
        }

        @Override
        void enter(Stack below, Threads out) {
            for (Part each : alternatives) {
                if (each.cost() < Cost.NEVER) {
                    each.enter(below, out);
                }
            }
        }

        @Override
        boolean mayBeEmpty() {
            return alternatives.stream().anyMatch(Part::mayBeEmpty);
        }

        @Override
        int cost() {
            return alternatives.stream().mapToInt(Part::cost).min().orElse(Cost.NEVER);
        }

        @Override
        List<Part> firsts() {
            return alternatives;
        }
    }

    /** From {@code min} to {@code max} times. */
    static final class Repeat extends Part {
        private final Part body;
        private final int min;
        private final int max;

        Repeat(Part body, int min, int max) {
            this.body = body;
            this.min = min;
            this.max = max;
        }

        @Override
        void enter(Stack below, Threads out) {
            enter(min, max, below, out);
        }

        void enter(int atLeast, int atMost, Stack below, Threads out) {
            boolean empty = body.mayBeEmpty();
            if (atLeast == 0 || empty) {
                out.end(0, below);
            }
            if (atMost > 0 && body.cost() < Cost.NEVER) {
                int more = atMost == Syntax.UNBOUNDED ? atMost : atMost - 1;
                Stack then = more == 0 ? below : new Stack(new Again(this, Math.max(0, atLeast - 1), more), below);
                if (empty && more > 0) {
                    out.enterUnlessEmpty(body, then);
                } else {
                    body.enter(then, out);
                }
            }
        }

        @Override
        boolean mayBeEmpty() {
            return min == 0 || body.mayBeEmpty();
        }

        @Override
        int cost() {
            return cost(min);
        }

        int cost(int atLeast) {
            return atLeast == 0 || body.mayBeEmpty() ? 0 : Cost.times(body.cost(), atLeast);
        }

        @Override
        List<Part> firsts() {
            return List.of(body);
        }
    }

    /** A rule, known by name before it is known by what it says. */
    static final class Rule extends Part {
        private final String name;
        private @Nullable Part body;
        private boolean empty;
        private int cost = Cost.NEVER;

        Rule(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        void define(Part says) {
            body = says;
        }

        /** Looks again, as more is known of others; whether that changed anything. */
        boolean learn() {
            Part says = body();
            boolean wasEmpty = empty;
            int was = cost;
            empty |= says.mayBeEmpty();
            cost = Math.min(cost, says.cost());
            return empty != wasEmpty || cost != was;
        }

        private Part body() {
            if (body == null) {
                throw new IllegalStateException(name);
            }
            return body;
        }

        @Override
        void enter(Stack below, Threads out) {
            if (cost < Cost.NEVER) {
                body().enter(below, out);
            }
        }

        @Override
        boolean mayBeEmpty() {
            return empty;
        }

        @Override
        int cost() {
            return cost;
        }

        @Override
        List<Part> firsts() {
            return List.of(body());
        }
    }

    /** The rest of a sequence. */
    private static final class Rest extends Frame {
        private final Sequence sequence;
        private final int from;

        Rest(Sequence sequence, int from) {
            this.sequence = sequence;
            this.from = from;
        }

        @Override
        void step(int b, Stack below, Threads out) {
            throw new IllegalStateException();
        }

        @Override
        void resume(int label, Stack below, Threads out) {
            sequence.enter(from, below, out);
        }

        @Override
        int cost(Stack below) {
            return Cost.sum(sequence.cost(from), below.cost());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Rest rest && sequence == rest.sequence && from == rest.from;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(sequence) * 31 + from;
        }
    }

    /** More of a repetition. */
    private static final class Again extends Frame {
        private final Repeat repeat;
        private final int min;
        private final int max;

        Again(Repeat repeat, int min, int max) {
            this.repeat = repeat;
            this.min = min;
            this.max = max;
        }

        @Override
        void step(int b, Stack below, Threads out) {
            throw new IllegalStateException();
        }

        @Override
        void resume(int label, Stack below, Threads out) {
            repeat.enter(min, max, below, out);
        }

        @Override
        int cost(Stack below) {
            return Cost.sum(repeat.cost(min), below.cost());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Again again && repeat == again.repeat && min == again.min && max == again.max;
        }

        @Override
        public int hashCode() {
            return (System.identityHashCode(repeat) * 31 + min) * 31 + max;
        }
    }
}
