package uzu.grammar;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What an object may hold: properties by name, and others by what their keys are. */
final class ObjectSpec {
    /** Sets of keys, of which there may be two to the power of the names. */
    private static final int MOST_REMEMBERED = 5000;

    /** The label of a key that is the first of {@link #others}; less is an index of {@link #names}. */
    final int firstOther;

    final List<String> names;
    final List<ValueShape> values;
    /** Values of other keys, by what {@link KeyLanguage} says of the key. */
    final List<ValueShape> others;

    final BigInteger required;
    /** What else is required where a name is there. */
    final List<BigInteger> dependents;

    final int min;
    final int max;
    final boolean ordered;
    /** The labels that any key has. */
    private final BigInteger existing;

    private final KeyLanguage keys;
    private final TokenTrie trie;
    private final Map<KeyChoice, Chars> choices = new ConcurrentHashMap<>();
    private final Map<Place, Integer> costs = new ConcurrentHashMap<>();
    private boolean settled;
    /** The names that may have a value; known when settled. */
    private BigInteger possible = BigInteger.ZERO;

    private int[] nameCosts = {};

    /** Which keys may come: some of the names, and others by their labels from {@link #firstOther} on. */
    record KeyChoice(BigInteger names, BigInteger others) {}

    ObjectSpec(
            List<String> names,
            List<ValueShape> values,
            List<ValueShape> others,
            KeyLanguage keys,
            BigInteger required,
            List<BigInteger> dependents,
            int min,
            int max,
            boolean ordered,
            TokenTrie trie) {
        this.names = List.copyOf(names);
        this.values = List.copyOf(values);
        this.others = List.copyOf(others);
        this.keys = keys;
        this.required = required;
        this.dependents = List.copyOf(dependents);
        this.min = min;
        this.max = max;
        this.ordered = ordered;
        this.trie = trie;
        firstOther = names.size();
        BigInteger found = BigInteger.ZERO;
        for (int label = 0; label < others.size(); label++) {
            found = keys.has(label) ? found.setBit(label) : found;
        }
        existing = found;
    }

    /** The automaton of the keys that may come, null if there are none. */
    @Nullable Chars keys(KeyChoice choice) {
        if (choice.names().signum() == 0 && choice.others().signum() == 0) {
            return null;
        }
        Chars known = choices.get(choice);
        if (known == null) {
            known = keys.of(choice);
            if (choices.size() > MOST_REMEMBERED) {
                choices.clear();
            }
            choices.put(choice, known);
        }
        return known.start() < 0 ? null : known;
    }

    /** What is required with {@code present}, beyond it. */
    BigInteger missing(BigInteger present) {
        BigInteger wanted = required;
        BigInteger asked = BigInteger.ZERO;
        while (true) {
            BigInteger all = wanted.or(present);
            BigInteger fresh = all.andNot(asked);
            if (fresh.signum() == 0 || dependents.isEmpty()) {
                return wanted.andNot(present);
            }
            asked = all;
            for (int k = fresh.getLowestSetBit(); k >= 0; k = next(fresh, k)) {
                wanted = wanted.or(dependents.get(k));
            }
        }
    }

    private static int next(BigInteger set, int after) {
        for (int k = after + 1; k < set.bitLength(); k++) {
            if (set.testBit(k)) {
                return k;
            }
        }
        return -1;
    }

    boolean isPossible(int name) {
        return values.get(name).isPossible();
    }

    boolean hasOthers() {
        return possibleOthers().signum() != 0;
    }

    /** The labels of keys that are no names and may come. */
    BigInteger possibleOthers() {
        BigInteger possible = BigInteger.ZERO;
        for (int label = 0; label < others.size(); label++) {
            if (existing.testBit(label) && others.get(label).isPossible()) {
                possible = possible.setBit(label);
            }
        }
        return possible;
    }

    /** Of a whole object. */
    int cost() {
        return Cost.sum(1, costBehind(BigInteger.ZERO, 0));
    }

    /** Whether there is such an object, as far as its values are known to be possible. */
    boolean isPossible() {
        BigInteger missing = missing(BigInteger.ZERO);
        return missing.bitCount() <= max
                && allPossible(missing)
                && min <= (hasOthers() ? max : Math.min(max, possibleNames()));
    }

    boolean allPossible(BigInteger some) {
        if (settled) {
            return some.andNot(possible).signum() == 0;
        }
        for (BigInteger rest = some; rest.signum() != 0; rest = rest.clearBit(rest.getLowestSetBit())) {
            if (!isPossible(rest.getLowestSetBit())) {
                return false;
            }
        }
        return true;
    }

    /** No byte of an object makes what is to come longer by more, but for its values. */
    int dearest() {
        int dearest = 0;
        for (int name = 0; name < firstOther; name++) {
            if (isPossible(name)) {
                int with = costOf(name);
                dearest = dependents.isEmpty() ? Math.max(dearest, with) : Cost.sum(dearest, with);
            }
        }
        int other = hasOthers() ? Cost.sum(Cost.sum(2, keys.farthest()), dearestOther()) : 0;
        int more = Cost.times(Math.max(dearest, other), Math.max(1, min));
        return Cost.sum(Cost.sum(cost(), longestKey()), more);
    }

    private int possibleNames() {
        int count = 0;
        for (int name = 0; name < firstOther; name++) {
            count += isPossible(name) ? 1 : 0;
        }
        return count;
    }

    /** From behind a value to the object's end, with {@code seen} there. */
    int costBehind(BigInteger seen, int count) {
        if (!settled) {
            return findCost(seen, count);
        }
        if (costs.size() > MOST_REMEMBERED) {
            costs.clear();
        }
        return costs.computeIfAbsent(new Place(seen, count), each -> findCost(each.seen, each.count));
    }

    private record Place(BigInteger seen, int count) {}

    /** From now on values stay as they are. */
    void settle() {
        BigInteger found = BigInteger.ZERO;
        for (int name = 0; name < firstOther; name++) {
            keyCost(name);
            found = isPossible(name) ? found.setBit(name) : found;
        }
        possible = found;
        settled = true;
    }

    private int findCost(BigInteger seen, int count) {
        BigInteger missing = missing(seen);
        int sum = 1;
        for (int name = missing.getLowestSetBit(); name >= 0; name = next(missing, name)) {
            sum = Cost.sum(sum, costOf(name));
        }
        int more = min - count - missing.bitCount();
        return more <= 0 ? sum : Cost.sum(sum, costOfMore(seen, seen.or(missing), count, more));
    }

    /** Of a comma, the key, the colon and the value. */
    private int costOf(int name) {
        return Cost.sum(2 + keyCost(name), values.get(name).cost());
    }

    /** Of {@code more} properties that are added to reach a number, with {@code there} written or required. */
    private int costOfMore(BigInteger seen, BigInteger there, int count, int more) {
        if (hasOthers()) {
            return Cost.times(Cost.sum(1, costOfOther()), more);
        }
        int[] costs = new int[firstOther];
        int n = 0;
        for (int name = ordered ? seen.bitLength() : 0; name < firstOther; name++) {
            if (!there.testBit(name) && isPossible(name)) {
                BigInteger with = missing(there.setBit(name));
                boolean fits = count + there.andNot(seen).bitCount() + 1L + with.bitCount() <= max;
                boolean isLate = ordered && with.signum() != 0 && with.getLowestSetBit() < name;
                if (fits && !isLate && allPossible(with)) {
                    int all = costOf(name);
                    for (int each = with.getLowestSetBit(); each >= 0; each = next(with, each)) {
                        all = Cost.sum(all, costOf(each));
                    }
                    costs[n++] = all;
                }
            }
        }
        if (n < more) {
            return Cost.NEVER;
        }
        Arrays.sort(costs, 0, n);
        int sum = 0;
        for (int i = 0; i < more; i++) {
            sum = Cost.sum(sum, costs[i]);
        }
        return sum;
    }

    /** Of the cheapest key that is no name, with its colon and value. */
    private int costOfOther() {
        int least = Cost.NEVER;
        BigInteger possible = possibleOthers();
        for (int label = possible.getLowestSetBit(); label >= 0; label = next(possible, label)) {
            least = Math.min(least, costOfOther(label));
        }
        return least;
    }

    /** Of a key of a label, its colon and its value. */
    int costOfOther(int label) {
        return Cost.sum(Cost.sum(2, keys.distanceOfOther(label)), Cost.sum(1, costOfOtherValue(label)));
    }

    int costOfOtherValue(int label) {
        return others.get(label).cost();
    }

    /** Of the dearest value of a key that is no name. */
    int dearestOther() {
        int value = 0;
        BigInteger possible = possibleOthers();
        for (int label = possible.getLowestSetBit(); label >= 0; label = next(possible, label)) {
            value = Math.max(value, costOfOtherValue(label));
        }
        return value;
    }

    /** Tokens of a name in quotes. */
    int keyCost(int name) {
        if (nameCosts.length == 0) {
            int[] costs = new int[firstOther];
            for (int i = 0; i < firstOther; i++) {
                byte[] quoted = JsonText.quote(names.get(i));
                costs[i] = trie.count(quoted, 0);
            }
            nameCosts = costs;
        }
        return nameCosts[name];
    }

    /** Most tokens of a key, its quotes included. */
    int longestKey() {
        int longest = 2;
        BigInteger possible = possibleOthers();
        for (int label = possible.getLowestSetBit(); label >= 0; label = next(possible, label)) {
            longest = Math.max(longest, Cost.sum(2, keys.distanceOfOther(label)));
        }
        for (int name = 0; name < firstOther; name++) {
            longest = Math.max(longest, names.get(name).length() * 6 + 2);
        }
        return longest;
    }

    /** A name's character, −1 behind its last. */
    int character(int name, int at) {
        String text = names.get(name);
        return at < text.codePointCount(0, text.length()) ? text.codePointAt(text.offsetByCodePoints(0, at)) : -1;
    }

    /** Tokens of the rest of a name from behind some bytes of its character {@code from} on, with the closing quote. */
    int restCost(int name, int from, int bytes) {
        String text = names.get(name);
        int at = text.offsetByCodePoints(0, Math.min(from, text.codePointCount(0, text.length())));
        byte[] quoted = JsonText.quote(text.substring(at));
        return trie.count(quoted, 1 + bytes);
    }
}
