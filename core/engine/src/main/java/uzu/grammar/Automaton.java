package uzu.grammar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The automaton of a language. Its states are found when they are visited, unless only all of them tell which can still
 * be ended: then all are found at once. Other languages may be tracked along: a state's label says, bit by bit, which of
 * these the text is in.
 */
final class Automaton implements Chars {
    /** More are never found at once. */
    private static final int MOST_STATES = 3000;

    private static final int UNKNOWN = 0;
    private static final int DEAD = -1;

    /** What is left of the automaton's own language, and of those tracked. */
    private record Key(List<Rx> rest) {}

    private final int tracked;
    /** Code points from {@code starts[i]} to before the next belong to class {@code classes[i]}. */
    private final int[] starts;

    private final int[] classes;
    /** A code point of each class. */
    private final int[] samples;

    private final Map<Key, Integer> numbers = new HashMap<>();
    private volatile State[] states = new State[16];
    private int size;
    /** Null while not all states are found. */
    private @Nullable Lengths lengths;

    private static final class State {
        private final Key key;
        /** By class: a state's number and 1, {@link #UNKNOWN} or {@link #DEAD}. */
        private final int[] next;

        private final int plain;
        private final int json;

        State(Key key, int[] next, int plain, int json) {
            this.key = key;
            this.next = next;
            this.plain = plain;
            this.json = json;
        }
    }

    private Automaton(List<Rx> languages) {
        tracked = languages.size() - 1;
        Set<CodePoints> sets = new LinkedHashSet<>();
        languages.forEach(language -> language.collect(sets));
        sets.add(CodePoints.ANY);
        int[] cuts = sets.stream()
                .flatMapToInt(set ->
                        IntStream.range(0, set.size()).flatMap(i -> IntStream.of(set.first(i), set.last(i) + 1)))
                .distinct()
                .sorted()
                .filter(cut -> cut <= CodePoints.LAST)
                .toArray();
        starts = cuts;
        classes = new int[cuts.length];
        Map<BitSet, Integer> known = new HashMap<>();
        int[] found = new int[cuts.length];
        for (int i = 0; i < cuts.length; i++) {
            BitSet in = new BitSet();
            int bit = 0;
            for (CodePoints set : sets) {
                in.set(bit++, set.contains(cuts[i]));
            }
            Integer number = known.get(in);
            if (number == null) {
                number = known.size();
                known.put(in, number);
                found[number] = cuts[i];
            }
            classes[i] = number;
        }
        samples = Arrays.copyOf(found, known.size());
        number(new Key(List.copyOf(languages)));
    }

    /** Null where the language has too many states to tell whether it can be ended. */
    static @Nullable Automaton of(Rx language) {
        return of(List.of(language), false);
    }

    /**
     * @param languages the automaton's own, and what is tracked along
     * @param whole whether counts of characters will be asked for
     */
    static @Nullable Automaton of(List<Rx> languages, boolean whole) {
        Automaton automaton = new Automaton(languages);
        boolean needed = whole || languages.get(0).isBoolean();
        if (needed && !automaton.findAll()) {
            return null;
        }
        return automaton;
    }

    private int number(Key key) {
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        Rx own = key.rest.get(0);
        int plain = own.isBoolean() ? 0 : own.shortest(Writing.PLAIN);
        int json = own.isBoolean() ? 0 : own.shortest(Writing.JSON);
        if (size == states.length) {
            states = Arrays.copyOf(states, 2 * size);
        }
        State[] more = states;
        more[size] = new State(key, new int[samples.length], plain, json);
        states = more;
        numbers.put(key, size);
        return size++;
    }

    private boolean findAll() {
        for (int state = 0; state < size; state++) {
            for (int each = 0; each < samples.length; each++) {
                find(state, each);
            }
            if (size > MOST_STATES) {
                return false;
            }
        }
        lengths = new Lengths();
        return true;
    }

    private synchronized int find(int number, int each) {
        State state = states[number];
        if (state.next[each] != UNKNOWN) {
            return state.next[each];
        }
        List<Rx> rest = new ArrayList<>(tracked + 1);
        for (Rx language : state.key.rest) {
            rest.add(language.after(samples[each]));
        }
        int next = rest.get(0).equals(Rx.NOTHING) ? DEAD : number(new Key(List.copyOf(rest))) + 1;
        state.next[each] = next;
        return next;
    }

    private int classOf(int codePoint) {
        int at = Arrays.binarySearch(starts, codePoint);
        return classes[at >= 0 ? at : -at - 2];
    }

    private State state(int number) {
        State[] known = states;
        if (number < known.length && known[number] != null) {
            return known[number];
        }
        synchronized (this) {
            return states[number];
        }
    }

    private int nextOfClass(int state, int each) {
        int next = state(state).next[each];
        if (next == UNKNOWN) {
            next = find(state, each);
        }
        return next == DEAD || (lengths != null && lengths.plain[next - 1] >= Cost.NEVER) ? -1 : next - 1;
    }

    @Override
    public int start() {
        return distance(0, 0, UNBOUNDED, Writing.PLAIN) >= Cost.NEVER ? -1 : 0;
    }

    @Override
    public int next(int state, int codePoint) {
        return nextOfClass(state, classOf(codePoint));
    }

    @Override
    public boolean accepts(int state) {
        return state(state).key.rest.get(0).mayBeEmpty();
    }

    @Override
    public int label(int state) {
        int label = 0;
        List<Rx> rest = state(state).key.rest;
        for (int i = 0; i < tracked; i++) {
            label |= rest.get(i + 1).mayBeEmpty() ? 1 << i : 0;
        }
        return label;
    }

    @Override
    public int distance(int state, int min, int max, Writing writing) {
        Lengths all = lengths;
        if (all == null) {
            State there = state(state);
            return writing == Writing.PLAIN ? there.plain : there.json;
        }
        if (min == 0 && max == UNBOUNDED) {
            return writing == Writing.PLAIN ? all.plain[state] : all.json[state];
        }
        int length = all.shortest(state, min, max);
        return length < 0 ? Cost.NEVER : Cost.times(writing == Writing.PLAIN ? 4 : 6, length);
    }

    @Override
    public int farthest() {
        Lengths all = lengths;
        if (all == null) {
            return Cost.NEVER;
        }
        int farthest = 0;
        for (int distance : all.json) {
            farthest = distance < Cost.NEVER ? Math.max(farthest, distance) : farthest;
        }
        return farthest;
    }

    @Override
    public int distanceAfter(int state, int first, int last, int min, int max, Writing writing) {
        return after(state, first, last, next -> distance(next, min, max, writing));
    }

    /** Bytes of a JSON string, to an end with the label alone; of an automaton whose states are all known. */
    int[] distancesTo(int label) {
        return Objects.requireNonNull(lengths)
                .distances(Writing.JSON, state -> accepts(state) && label(state) == label);
    }

    /** The least of what holds after a character from {@code first} to {@code last}. */
    int after(int state, int first, int last, IntUnaryOperator distance) {
        int least = Cost.NEVER;
        int at = Arrays.binarySearch(starts, first);
        for (int i = at >= 0 ? at : -at - 2; i < starts.length && starts[i] <= last; i++) {
            // Between the ranges of Unicode lie the surrogates.
            int end = i + 1 < starts.length ? starts[i + 1] - 1 : CodePoints.LAST;
            boolean some = !(Math.max(first, starts[i]) >= 0xD800 && Math.min(last, end) <= 0xDFFF);
            int next = some ? nextOfClass(state, classes[i]) : -1;
            least = next < 0 ? least : Math.min(least, distance.applyAsInt(next));
        }
        return least;
    }

    /** How long the texts are that end each state, when all states are known. */
    private final class Lengths {
        private static final int MOST_LENGTHS = 2000;

        private final int[] plain = distances(Writing.PLAIN, Automaton.this::accepts);
        private final int[] json = distances(Writing.JSON, Automaton.this::accepts);
        /** By length: the states that a text of exactly that length may end. From {@code repeats} on they recur. */
        private final List<BitSet> ended = new ArrayList<>();

        private int repeats = -1;

        private int[] distances(Writing writing, IntPredicate ends) {
            List<List<int[]>> before = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                before.add(new ArrayList<>());
            }
            int[] least = new int[size];
            Arrays.fill(least, Cost.NEVER);
            PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> Integer.compare(a[1], b[1]));
            int[] bytes = new int[samples.length];
            Arrays.fill(bytes, Cost.NEVER);
            for (int i = 0; i < starts.length; i++) {
                int end = i + 1 < starts.length ? starts[i + 1] - 1 : CodePoints.LAST;
                bytes[classes[i]] = Math.min(bytes[classes[i]], writing.bytes(starts[i], end));
            }
            for (int state = 0; state < size; state++) {
                for (int each = 0; each < samples.length; each++) {
                    int next = states[state].next[each];
                    if (next > 0) {
                        before.get(next - 1).add(new int[] {state, bytes[each]});
                    }
                }
                if (ends.test(state)) {
                    least[state] = 0;
                    queue.add(new int[] {state, 0});
                }
            }
            while (!queue.isEmpty()) {
                int[] nearest = queue.remove();
                if (nearest[1] > least[nearest[0]]) {
                    continue;
                }
                for (int[] edge : before.get(nearest[0])) {
                    int distance = nearest[1] + edge[1];
                    if (distance < least[edge[0]]) {
                        least[edge[0]] = distance;
                        queue.add(new int[] {edge[0], distance});
                    }
                }
            }
            return least;
        }

        /** The shortest length from {@code min} to {@code max} of a text that ends {@code state}, −1 for none. */
        synchronized int shortest(int state, int min, int max) {
            for (int length = min; length <= max; length++) {
                BitSet there = ended(length);
                if (there == null) {
                    return -1;
                }
                if (there.get(state)) {
                    return length;
                }
                if (repeats >= 0 && length > min + ended.size() && length >= ended.size()) {
                    return -1;
                }
            }
            return -1;
        }

        private @Nullable BitSet ended(int length) {
            while (repeats < 0 && ended.size() <= length && ended.size() < MOST_LENGTHS) {
                BitSet fresh = new BitSet();
                if (ended.isEmpty()) {
                    for (int state = 0; state < size; state++) {
                        fresh.set(state, accepts(state));
                    }
                } else {
                    before(ended.get(ended.size() - 1), fresh);
                }
                repeats = ended.indexOf(fresh);
                if (repeats < 0) {
                    ended.add(fresh);
                }
            }
            if (length < ended.size()) {
                return ended.get(length);
            }
            return repeats < 0 ? null : ended.get(repeats + (length - repeats) % (ended.size() - repeats));
        }

        private void before(BitSet after, BitSet into) {
            for (int state = 0; state < size; state++) {
                for (int next : states[state].next) {
                    if (next > 0 && after.get(next - 1)) {
                        into.set(state);
                        break;
                    }
                }
            }
        }
    }
}
