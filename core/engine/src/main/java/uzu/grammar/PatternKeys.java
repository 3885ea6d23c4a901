package uzu.grammar;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Names, and other keys by which of some patterns they match; all of a language. */
final class PatternKeys implements KeyLanguage {
    private final List<String> names;
    private final List<Rx> patterns;
    private final Rx allowed;
    private final Map<Integer, Integer> distances = new ConcurrentHashMap<>();

    PatternKeys(List<String> names, List<Rx> patterns, Rx allowed) {
        this.names = names;
        this.patterns = patterns;
        this.allowed = allowed;
    }

    @Override
    public Chars of(ObjectSpec.KeyChoice choice) {
        List<Rx> ways = new ArrayList<>();
        for (int name = 0; name < names.size(); name++) {
            if (choice.names().testBit(name)) {
                ways.add(Rx.text(names.get(name)));
            }
        }
        ways.add(Rx.and(List.of(others(choice.others()), noName())));
        List<Rx> tracked = new ArrayList<>();
        tracked.add(Rx.or(ways));
        tracked.addAll(patterns);
        tracked.add(noName());
        Automaton automaton = Automaton.of(tracked, true);
        if (automaton == null) {
            throw new Unsupported("it takes too many states to tell keys apart");
        }
        return new Labelled(automaton, new NameTrie(names), names.size(), patterns.size());
    }

    /** The automaton with names tracked along: what a whole key is. */
    static final class Labelled implements Chars {
        private final Automaton automaton;
        private final NameTrie names;
        private final int firstOther;
        /** The automaton's label of what matches no pattern and is no name. */
        private final int noName;

        /** Trie nodes, and one more for texts that are no beginning of a name. */
        private final int width;

        private final Map<Integer, Chars> others = new ConcurrentHashMap<>();

        Labelled(Automaton automaton, NameTrie names, int firstOther, int patterns) {
            this.automaton = automaton;
            this.names = names;
            this.firstOther = firstOther;
            noName = 1 << patterns;
            width = names.size() + 1;
        }

        /** The names that it may become. */
        BigInteger under(int state) {
            int node = state % width;
            return node == width - 1 ? BigInteger.ZERO : names.under(node);
        }

        int depth(int state) {
            int node = state % width;
            return node == width - 1 ? 0 : names.depth(node);
        }

        /** The same, but that only texts end it which are no names and match exactly these patterns. */
        Chars other(int matching) {
            return others.computeIfAbsent(matching, each -> new Other(this, automaton.distancesTo(each | noName)));
        }

        @Override
        public int start() {
            return automaton.start() < 0 ? -1 : automaton.start() * width;
        }

        @Override
        public int next(int state, int codePoint) {
            int next = automaton.next(state / width, codePoint);
            int node = state % width;
            int child = node == width - 1 ? -1 : names.child(node, codePoint);
            return next < 0 ? -1 : next * width + (child < 0 ? width - 1 : child);
        }

        @Override
        public boolean accepts(int state) {
            return automaton.accepts(state / width);
        }

        @Override
        public int label(int state) {
            int node = state % width;
            int name = node == width - 1 ? -1 : names.name(node);
            int other = name >= 0 ? 0 : automaton.label(state / width) & noName - 1;
            return name >= 0 ? name + 1 : other == 0 ? 0 : firstOther + other;
        }

        @Override
        public int distance(int state, int min, int max, Writing writing) {
            return automaton.distance(state / width, min, max, writing);
        }

        @Override
        public int farthest() {
            return automaton.farthest();
        }

        @Override
        public int distanceAfter(int state, int first, int last, int min, int max, Writing writing) {
            return automaton.distanceAfter(state / width, first, last, min, max, writing);
        }
    }

    /** How far it is to a key of one kind. @param distances by the automaton's state */
    private record Other(Labelled keys, int[] distances) implements Chars {
        @Override
        public int start() {
            return keys.start();
        }

        @Override
        public int next(int state, int codePoint) {
            return keys.next(state, codePoint);
        }

        @Override
        public boolean accepts(int state) {
            return distances[state / keys.width] == 0;
        }

        @Override
        public int distance(int state, int min, int max, Writing writing) {
            return distances[state / keys.width];
        }

        @Override
        public int distanceAfter(int state, int first, int last, int min, int max, Writing writing) {
            return keys.automaton.after(state / keys.width, first, last, next -> distances[next]);
        }

        @Override
        public int farthest() {
            return Cost.NEVER;
        }
    }

    private Rx noName() {
        return Rx.not(Rx.or(names.stream().map(Rx::text).toList()));
    }

    /** Keys of which exactly those patterns match that one of the labels says. */
    private Rx others(BigInteger labels) {
        List<Rx> ways = new ArrayList<>();
        for (int matching = 0; matching < 1 << patterns.size(); matching++) {
            if (labels.testBit(matching)) {
                List<Rx> all = new ArrayList<>();
                all.add(allowed);
                for (int i = 0; i < patterns.size(); i++) {
                    all.add((matching >> i & 1) != 0 ? patterns.get(i) : Rx.not(patterns.get(i)));
                }
                ways.add(Rx.and(all));
            }
        }
        return Rx.or(ways);
    }

    @Override
    public boolean has(int label) {
        return distanceOfOther(label) < Cost.NEVER;
    }

    @Override
    public int farthest() {
        return Cost.NEVER;
    }

    @Override
    public int distanceOfOther(int label) {
        return distances.computeIfAbsent(label, this::findDistance);
    }

    private int findDistance(int label) {
        BigInteger only = BigInteger.ZERO.setBit(label);
        Automaton automaton = Automaton.of(List.of(Rx.and(List.of(others(only), noName()))), true);
        return automaton == null || automaton.start() < 0
                ? Cost.NEVER
                : automaton.distance(0, 0, Chars.UNBOUNDED, Chars.Writing.JSON);
    }
}
