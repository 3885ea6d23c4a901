package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** An array of {@link CountedArrays} behind its bracket. */
final class CountedArrayFrame extends Frame {
    private enum Place {
        /** An item or the end. */
        OPEN,
        /** A comma or the end. */
        BEHIND_ITEM,
        /** An item. */
        BEHIND_COMMA
    }

    private final CountedArrays arrays;
    private final Place place;
    private final CountedArrays.At at;
    private final int space;

    private CountedArrayFrame(CountedArrays arrays, Place place, CountedArrays.At at, int space) {
        this.arrays = arrays;
        this.place = place;
        this.at = at;
        this.space = space;
    }

    static CountedArrayFrame open(CountedArrays arrays) {
        return new CountedArrayFrame(arrays, Place.OPEN, arrays.start(), Space.NONE);
    }

    @Override
    void step(int b, Stack below, Threads out) {
        int spaced = Space.next(space, b);
        if (spaced >= 0) {
            // Before a comma no one writes any.
            if (place != Place.BEHIND_ITEM || arrays.mayEnd(at)) {
                out.add(new CountedArrayFrame(arrays, place, at, spaced), below);
            }
            return;
        }
        if (!Space.isWhole(space)) {
            return;
        }
        if (b == ']') {
            if (place != Place.BEHIND_COMMA && arrays.mayEnd(at)) {
                out.end(0, below);
            }
        } else if (place == Place.BEHIND_ITEM) {
            if (b == ',' && space == Space.NONE && mayGoOn()) {
                out.add(new CountedArrayFrame(arrays, Place.BEHIND_COMMA, at, Space.NONE), below);
            }
        } else {
            for (int kind = 0; kind < arrays.kinds(); kind++) {
                if (arrays.mayAdd(at, kind)) {
                    Frame then = new CountedArrayFrame(arrays, Place.BEHIND_ITEM, arrays.behind(at, kind), Space.NONE);
                    arrays.item(at, kind).step(b, new Stack(then, below), out);
                }
            }
        }
    }

    private boolean mayGoOn() {
        for (int kind = 0; kind < arrays.kinds(); kind++) {
            if (arrays.mayAdd(at, kind)) {
                return true;
            }
        }
        return false;
    }

    /** The item above is over. */
    @Override
    void resume(int label, Stack below, Threads out) {
        out.add(this, below);
    }

    @Override
    long place() {
        boolean end = place != Place.BEHIND_COMMA && arrays.mayEnd(at);
        return ((6 * 4 + place.ordinal()) * 64 + space) * 4 + (end ? 2 : 0) + (mayGoOn() ? 1 : 0);
    }

    @Override
    int cost(Stack below) {
        int items = place == Place.BEHIND_COMMA ? arrays.costFromComma(at) : arrays.costOf(at);
        return Cost.sum(Cost.sum(Space.cost(space) + 1, items), below.cost());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CountedArrayFrame array
                && arrays == array.arrays
                && place == array.place
                && space == array.space
                && at.equals(array.at);
    }

    @Override
    public int hashCode() {
        return ((System.identityHashCode(arrays) * 31 + place.ordinal()) * 31 + at.hashCode()) * 31 + space;
    }
}
