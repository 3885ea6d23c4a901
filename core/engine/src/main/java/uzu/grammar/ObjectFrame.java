package uzu.grammar;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** An object behind its brace. */
final class ObjectFrame extends Frame {
    private enum Place {
        /** A key or the end. */
        OPEN,
        /** A key is being written above. */
        KEY,
        /** A comma or the end. */
        BEHIND_VALUE,
        /** A key. */
        BEHIND_COMMA
    }

    private final ObjectSpec spec;
    private final Place place;
    private final BigInteger seen;
    /** Properties so far, where their number matters. */
    private final int count;

    private final int space;

    private ObjectFrame(ObjectSpec spec, Place place, BigInteger seen, int count, int space) {
        this.spec = spec;
        this.place = place;
        this.seen = seen;
        this.count = count;
        this.space = space;
    }

    static ObjectFrame open(ObjectSpec spec) {
        return new ObjectFrame(spec, Place.OPEN, BigInteger.ZERO, 0, Space.NONE);
    }

    boolean awaitsKey() {
        return place == Place.KEY;
    }

    @Override
    void step(int b, Stack below, Threads out) {
        int spaced = Space.next(space, b);
        if (spaced >= 0) {
            // Before a comma no one writes any.
            if (place != Place.BEHIND_VALUE || mayEndHere()) {
                out.add(new ObjectFrame(spec, place, seen, count, spaced), below);
            }
            return;
        }
        if (!Space.isWhole(space)) {
            return;
        }
        if (b == '}') {
            if (place != Place.BEHIND_COMMA && mayEndHere()) {
                out.end(0, below);
            }
        } else if (place == Place.BEHIND_VALUE) {
            if (b == ',' && space == Space.NONE && spec.keys(choice()) != null) {
                out.add(new ObjectFrame(spec, Place.BEHIND_COMMA, seen, count, Space.NONE), below);
            }
        } else if (b == '"') {
            Chars keys = spec.keys(choice());
            TextFrame key = keys == null ? null : TextFrame.of(keys, Chars.Writing.JSON, 0, Chars.UNBOUNDED);
            if (key != null) {
                out.add(key, new Stack(new ObjectFrame(spec, Place.KEY, seen, count, Space.NONE), below));
            }
        }
    }

    private boolean mayEndHere() {
        return count >= spec.min && spec.missing(seen).signum() == 0;
    }

    private ObjectSpec.KeyChoice choice() {
        BigInteger names = BigInteger.ZERO;
        BigInteger missing = spec.missing(seen);
        for (int name = spec.ordered ? seen.bitLength() : 0; name < spec.firstOther; name++) {
            if (mayAdd(name)) {
                names = names.setBit(name);
            }
            if (spec.ordered && missing.testBit(name)) {
                break;
            }
        }
        boolean others = count + 1L + missing.bitCount() <= spec.max && (!spec.ordered || missing.signum() == 0);
        return new ObjectSpec.KeyChoice(names, others ? spec.possibleOthers() : BigInteger.ZERO);
    }

    private boolean mayAdd(int name) {
        if (seen.testBit(name) || !spec.isPossible(name)) {
            return false;
        }
        BigInteger with = seen.setBit(name);
        BigInteger missing = spec.missing(with);
        if (spec.max != Syntax.UNBOUNDED && count + 1L + missing.bitCount() > spec.max) {
            return false;
        }
        if (!spec.ordered) {
            return spec.allPossible(missing);
        }
        return (missing.signum() == 0 || missing.getLowestSetBit() > name)
                && spec.allPossible(missing)
                && (spec.hasOthers() || count + 1 + possibleBehind(name) >= spec.min);
    }

    private int possibleBehind(int name) {
        int possible = 0;
        for (int other = name + 1; other < spec.firstOther; other++) {
            possible += spec.isPossible(other) ? 1 : 0;
        }
        return possible;
    }

    /** A key is over, or a value. */
    @Override
    void resume(int label, Stack below, Threads out) {
        if (place != Place.KEY) {
            out.add(this, below);
            return;
        }
        int key = label == 0 ? spec.firstOther : label <= spec.firstOther ? label - 1 : label;
        ValueShape value = value(key);
        if (value.isPossible()) {
            out.add(new ColonFrame(value), new Stack(behind(key), below));
        }
    }

    private ValueShape value(int key) {
        return key < spec.firstOther ? spec.values.get(key) : spec.others.get(key - spec.firstOther);
    }

    private ObjectFrame behind(int key) {
        BigInteger with = key < spec.firstOther ? seen.setBit(key) : seen;
        boolean counts = spec.max != Syntax.UNBOUNDED || count < spec.min;
        return new ObjectFrame(spec, Place.BEHIND_VALUE, with, counts ? count + 1 : count, Space.NONE);
    }

    @Override
    long place() {
        if (place == Place.KEY) {
            return -1;
        }
        boolean end = place != Place.BEHIND_COMMA && mayEndHere();
        boolean more = spec.keys(choice()) != null;
        return ((1 * 4 + place.ordinal()) * 64 + space) * 4 + (end ? 2 : 0) + (more ? 1 : 0);
    }

    @Override
    int cost(Stack below) {
        int rest = switch (place) {
            case OPEN, BEHIND_VALUE -> spec.costBehind(seen, count);
            case BEHIND_COMMA, KEY -> costFromComma();
        };
        return Cost.sum(Cost.sum(Space.cost(space), rest), below.cost());
    }

    /** From a key that must follow to this object's end. */
    private int costFromComma() {
        ObjectSpec.KeyChoice choice = choice();
        int least = Cost.NEVER;
        for (int name = 0; name < spec.firstOther; name++) {
            if (choice.names().testBit(name)) {
                int value =
                        Cost.sum(spec.keyCost(name) + 1, spec.values.get(name).cost());
                least = Math.min(least, Cost.sum(value, spec.costBehind(seen.setBit(name), count + 1)));
            }
        }
        int behind = choice.others().signum() == 0 ? Cost.NEVER : spec.costBehind(seen, count + 1);
        for (BigInteger rest = choice.others(); rest.signum() != 0; rest = rest.clearBit(rest.getLowestSetBit())) {
            least = Math.min(least, Cost.sum(spec.costOfOther(rest.getLowestSetBit()), behind));
        }
        return least;
    }

    /** From behind {@code bytes} bytes of a name's character {@code from} to this object's end. */
    private int costWith(int name, int from, int bytes) {
        int value = Cost.sum(1, spec.values.get(name).cost());
        return Cost.sum(
                Cost.sum(spec.restCost(name, from, bytes), value), spec.costBehind(seen.setBit(name), count + 1));
    }

    /** From behind another key's quote to this object's end, with the dearest value. */
    private int costWithOther() {
        return Cost.sum(Cost.sum(1, spec.dearestOther()), spec.costBehind(seen, count + 1));
    }

    /** Tokens from within a key to the end of all below. */
    int costFromKey(TextFrame key, Stack below) {
        int cost = switch (key.chars()) {
            case NameChars names -> costFromName(key, names);
            case PatternKeys.Labelled named -> costFromLabelled(key, named);
            default -> Cost.sum(key.bytesLeft(key.chars()), costWithOther());
        };
        return Cost.sum(cost, below.cost());
    }

    private int costFromLabelled(TextFrame key, PatternKeys.Labelled keys) {
        BigInteger under = keys.under(key.state());
        int depth = keys.depth(key.state());
        int least = leastWith(under, depth, key);
        BigInteger others = choice().others();
        int behind = others.signum() == 0 ? Cost.NEVER : Cost.sum(1, spec.costBehind(seen, count + 1));
        for (BigInteger rest = others; rest.signum() != 0; rest = rest.clearBit(rest.getLowestSetBit())) {
            int label = rest.getLowestSetBit();
            int with = Cost.sum(key.bytesLeft(keys.other(label)), spec.costOfOtherValue(label));
            least = Math.min(least, Cost.sum(with, behind));
        }
        return least < Cost.NEVER || key.ending() == 0 || under.signum() == 0
                ? least
                : dearestEscaped(under, depth, key.ending());
    }

    /** An escape may turn out to be of any of the names' characters. */
    private int dearestEscaped(BigInteger names, int depth, int ending) {
        int most = 0;
        for (BigInteger rest = names; rest.signum() != 0; rest = rest.clearBit(rest.getLowestSetBit())) {
            most = Math.max(most, Cost.sum(ending, costWith(rest.getLowestSetBit(), depth + 1, 0)));
        }
        return most;
    }

    /** With the cheapest of the names that a key of {@code depth} characters, and maybe one begun, can become. */
    private int leastWith(BigInteger names, int depth, TextFrame key) {
        int ending = key.ending();
        int first = key.firstBegun();
        int last = key.lastBegun();
        int least = Cost.NEVER;
        for (BigInteger rest = names; rest.signum() != 0; rest = rest.clearBit(rest.getLowestSetBit())) {
            int name = rest.getLowestSetBit();
            if (mayAdd(name)) {
                if (ending == 0) {
                    least = Math.min(least, costWith(name, depth, 0));
                } else {
                    int next = spec.character(name, depth);
                    if (next >= first && next <= last) {
                        least = Math.min(least, costWith(name, depth, JsonText.utf8Length(next) - ending));
                    } else if (last == first - 1 && JsonText.hasShortEscape(next)) {
                        least = Math.min(least, costWith(name, depth, 1));
                    }
                }
            }
        }
        return least;
    }

    /** The most that {@link #costFromKey} may be anywhere in a key. */
    int costliestFromKey(boolean anyName, Stack below) {
        int most = anyName ? Cost.sum(spec.longestKey(), dearestBehindKey()) : costWithOther();
        return Cost.sum(Cost.sum(16, most), below.cost());
    }

    private int costFromName(TextFrame key, NameChars names) {
        int state = key.state();
        int ending = key.ending();
        BigInteger under = names.under(state);
        int depth = names.isFree(state) ? 0 : names.trie().depth(state);
        int other = Cost.NEVER;
        if (names.hasOthers()) {
            boolean whole = ending == 0 && names.accepts(state) && names.label(state) == 0;
            other = Cost.sum(Cost.sum(ending, whole ? 1 : 3), costWithOther());
        }
        int least = leastWith(under, depth, key);
        if (ending == 0 || key.firstBegun() <= key.lastBegun() || under.signum() == 0) {
            return Math.min(other, least);
        }
        return Math.min(least, Math.max(other == Cost.NEVER ? 0 : other, dearestEscaped(under, depth, ending)));
    }

    private int dearestBehindKey() {
        int most = costWithOther();
        for (int name = 0; name < spec.firstOther; name++) {
            if (!seen.testBit(name) && mayAdd(name)) {
                int value = Cost.sum(1, spec.values.get(name).cost());
                most = Math.max(most, Cost.sum(value, spec.costBehind(seen.setBit(name), count + 1)));
            }
        }
        return most;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectFrame object
                && spec == object.spec
                && place == object.place
                && count == object.count
                && space == object.space
                && seen.equals(object.seen);
    }

    @Override
    public int hashCode() {
        return (((System.identityHashCode(spec) * 31 + place.ordinal()) * 31 + seen.hashCode()) * 31 + count) * 31
                + space;
    }
}
