package uzu.grammar;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A regular language over code points, closed under Boolean operations, by its derivatives (Brzozowski 1964): what may
 * follow a character is a language again. Repetitions stay counters. Made by the functions, which keep terms small.
 */
abstract sealed class Rx {
    static final Rx NOTHING = new Letter(CodePoints.NONE);
    static final Rx EMPTY = new Empty();
    static final Rx ALL = new Repeated(new Letter(CodePoints.ANY), 0, Syntax.UNBOUNDED);

    private final int hash;
    private final boolean mayBeEmpty;
    private final boolean isBoolean;

    private Rx(int hash, boolean mayBeEmpty, boolean isBoolean) {
        this.hash = hash;
        this.mayBeEmpty = mayBeEmpty;
        this.isBoolean = isBoolean;
    }

    /** Whether the empty text is in it. */
    final boolean mayBeEmpty() {
        return mayBeEmpty;
    }

    /** Whether it holds an intersection or a complement, so that only its automaton tells whether it is empty. */
    final boolean isBoolean() {
        return isBoolean;
    }

    /** What may follow {@code codePoint}. */
    abstract Rx after(int codePoint);

    /** Adds the sets of characters that it tells apart. */
    abstract void collect(Set<CodePoints> into);

    /** Bytes of its shortest text, if it isn't Boolean. */
    abstract int shortest(Chars.Writing writing);

    @Override
    public final int hashCode() {
        return hash;
    }

    private static final class Empty extends Rx {
        Empty() {
            super(1, true, false);
        }

        @Override
        Rx after(int codePoint) {
            return NOTHING;
        }

        @Override
        void collect(Set<CodePoints> into) {
            // tells nothing apart
        }

        @Override
        int shortest(Chars.Writing writing) {
            return 0;
        }
    }

    static final class Letter extends Rx {
        private final CodePoints set;

        private Letter(CodePoints set) {
            super(set.hashCode() * 31 + 2, false, false);
            this.set = set;
        }

        CodePoints set() {
            return set;
        }

        @Override
        Rx after(int codePoint) {
            return set.contains(codePoint) ? EMPTY : NOTHING;
        }

        @Override
        void collect(Set<CodePoints> into) {
            into.add(set);
        }

        @Override
        int shortest(Chars.Writing writing) {
            int least = Cost.NEVER;
            for (int i = 0; i < set.size(); i++) {
                least = Math.min(least, writing.bytes(set.first(i), set.last(i)));
            }
            return least;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Letter letter && set.equals(letter.set);
        }
    }

    private static final class Chain extends Rx {
        private final Rx first;
        private final Rx rest;

        Chain(Rx first, Rx rest) {
            super(
                    (first.hashCode() * 31 + rest.hashCode()) * 31 + 3,
                    first.mayBeEmpty() && rest.mayBeEmpty(),
                    first.isBoolean() || rest.isBoolean());
            this.first = first;
            this.rest = rest;
        }

        @Override
        Rx after(int codePoint) {
            Rx through = chain(first.after(codePoint), rest);
            return first.mayBeEmpty() ? or(List.of(through, rest.after(codePoint))) : through;
        }

        @Override
        void collect(Set<CodePoints> into) {
            first.collect(into);
            rest.collect(into);
        }

        @Override
        int shortest(Chars.Writing writing) {
            return Cost.sum(first.shortest(writing), rest.shortest(writing));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Chain chain
                            && hashCode() == chain.hashCode()
                            && first.equals(chain.first)
                            && rest.equals(chain.rest));
        }
    }

    private static final class Some extends Rx {
        private final Set<Rx> parts;

        Some(Set<Rx> parts) {
            super(
                    parts.hashCode() * 31 + 4,
                    parts.stream().anyMatch(Rx::mayBeEmpty),
                    parts.stream().anyMatch(Rx::isBoolean));
            this.parts = parts;
        }

        @Override
        Rx after(int codePoint) {
            List<Rx> after = new ArrayList<>(parts.size());
            for (Rx part : parts) {
                after.add(part.after(codePoint));
            }
            return or(after);
        }

        @Override
        void collect(Set<CodePoints> into) {
            parts.forEach(part -> part.collect(into));
        }

        @Override
        int shortest(Chars.Writing writing) {
            return parts.stream().mapToInt(part -> part.shortest(writing)).min().orElse(Cost.NEVER);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Some some && hashCode() == some.hashCode() && parts.equals(some.parts));
        }
    }

    private static final class Every extends Rx {
        private final Set<Rx> parts;

        Every(Set<Rx> parts) {
            super(parts.hashCode() * 31 + 5, parts.stream().allMatch(Rx::mayBeEmpty), true);
            this.parts = parts;
        }

        @Override
        Rx after(int codePoint) {
            List<Rx> after = new ArrayList<>(parts.size());
            for (Rx part : parts) {
                after.add(part.after(codePoint));
            }
            return and(after);
        }

        @Override
        void collect(Set<CodePoints> into) {
            parts.forEach(part -> part.collect(into));
        }

        @Override
        int shortest(Chars.Writing writing) {
            throw new IllegalStateException();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Every every && hashCode() == every.hashCode() && parts.equals(every.parts));
        }
    }

    private static final class Not extends Rx {
        private final Rx body;

        Not(Rx body) {
            super(body.hashCode() * 31 + 6, !body.mayBeEmpty(), true);
            this.body = body;
        }

        @Override
        Rx after(int codePoint) {
            return not(body.after(codePoint));
        }

        @Override
        void collect(Set<CodePoints> into) {
            body.collect(into);
        }

        @Override
        int shortest(Chars.Writing writing) {
            throw new IllegalStateException();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || (other instanceof Not not && body.equals(not.body));
        }
    }

    static final class Repeated extends Rx {
        private final Rx body;
        private final int min;
        private final int max;

        private Repeated(Rx body, int min, int max) {
            super(((body.hashCode() * 31 + min) * 31 + max) * 31 + 7, min == 0 || body.mayBeEmpty(), body.isBoolean());
            this.body = body;
            this.min = min;
            this.max = max;
        }

        Rx body() {
            return body;
        }

        int min() {
            return min;
        }

        int max() {
            return max;
        }

        @Override
        Rx after(int codePoint) {
            Rx once = body.after(codePoint);
            if (once.equals(NOTHING)) {
                return NOTHING;
            }
            int more = max == Syntax.UNBOUNDED ? max : max - 1;
            return chain(once, repeat(body, Math.max(0, min - 1), more));
        }

        @Override
        void collect(Set<CodePoints> into) {
            body.collect(into);
        }

        @Override
        int shortest(Chars.Writing writing) {
            return min == 0 || body.mayBeEmpty() ? 0 : Cost.times(body.shortest(writing), min);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Repeated repeated
                            && min == repeated.min
                            && max == repeated.max
                            && body.equals(repeated.body));
        }
    }

    static Rx letter(CodePoints set) {
        return set.isEmpty() ? NOTHING : new Letter(set);
    }

    static Rx text(String text) {
        int[] codePoints = text.codePoints().toArray();
        Rx rest = EMPTY;
        for (int i = codePoints.length - 1; i >= 0; i--) {
            rest = chain(letter(CodePoints.of(codePoints[i])), rest);
        }
        return rest;
    }

    static Rx chain(Rx first, Rx rest) {
        if (first.equals(NOTHING) || rest.equals(NOTHING)) {
            return NOTHING;
        }
        if (first == EMPTY) {
            return rest;
        }
        if (rest == EMPTY) {
            return first;
        }
        if (first instanceof Chain chain) {
            return chain(chain.first, chain(chain.rest, rest));
        }
        if (first.equals(ALL) && (rest.equals(ALL) || (rest instanceof Chain more && more.first.equals(ALL)))) {
            return rest;
        }
        return new Chain(first, rest);
    }

    static Rx or(List<Rx> parts) {
        Set<Rx> flat = new LinkedHashSet<>();
        for (Rx part : parts) {
            if (part instanceof Some some) {
                flat.addAll(some.parts);
            } else if (!part.equals(NOTHING)) {
                flat.add(part);
            }
        }
        if (flat.contains(ALL)) {
            return ALL;
        }
        if (flat.size() > 1 && flat.contains(EMPTY) && flat.stream().anyMatch(p -> p != EMPTY && p.mayBeEmpty())) {
            flat.remove(EMPTY);
        }
        return flat.isEmpty() ? NOTHING : flat.size() == 1 ? flat.iterator().next() : new Some(flat);
    }

    static Rx and(List<Rx> parts) {
        Set<Rx> flat = new LinkedHashSet<>();
        for (Rx part : parts) {
            if (part.equals(NOTHING)) {
                return NOTHING;
            }
            if (part instanceof Every every) {
                flat.addAll(every.parts);
            } else if (!part.equals(ALL)) {
                flat.add(part);
            }
        }
        if (flat.contains(EMPTY)) {
            return flat.stream().allMatch(Rx::mayBeEmpty) ? EMPTY : NOTHING;
        }
        return flat.isEmpty() ? ALL : flat.size() == 1 ? flat.iterator().next() : new Every(flat);
    }

    static Rx not(Rx body) {
        if (body instanceof Not not) {
            return not.body;
        }
        return body.equals(NOTHING) ? ALL : body.equals(ALL) ? NOTHING : new Not(body);
    }

    static Rx repeat(Rx body, int min, int max) {
        if (max == 0 || body == EMPTY) {
            return EMPTY;
        }
        if (body.equals(NOTHING)) {
            return min == 0 ? EMPTY : NOTHING;
        }
        if (min == 1 && max == 1) {
            return body;
        }
        if (body instanceof Repeated inner && inner.min <= 1 && inner.max == Syntax.UNBOUNDED && min <= 1) {
            return repeat(inner.body, inner.min * min, Syntax.UNBOUNDED);
        }
        return new Repeated(body, body.mayBeEmpty() ? 0 : min, max);
    }

    /** Whether {@code text} is in it. */
    boolean matches(String text) {
        Rx rest = this;
        for (int codePoint : text.codePoints().toArray()) {
            rest = rest.after(codePoint);
        }
        return rest.mayBeEmpty();
    }
}
