package uzu.grammar;

import org.jspecify.annotations.Nullable;

/** An array behind its bracket. */
final class ArrayFrame extends Frame {
    private enum Place {
        /** An item or the end. */
        OPEN,
        /** A comma or the end. */
        BEHIND_ITEM,
        /** An item. */
        BEHIND_COMMA
    }

    private final ArraySpec spec;
    private final Place place;
    /** Of the next item, not counted beyond the first items. */
    private final int index;

    private final int min;
    private final int max;
    private final int space;

    private ArrayFrame(ArraySpec spec, Place place, int index, int min, int max, int space) {
        this.spec = spec;
        this.place = place;
        this.index = index;
        this.min = min;
        this.max = max;
        this.space = space;
    }

    static ArrayFrame open(ArraySpec spec) {
        return new ArrayFrame(spec, Place.OPEN, 0, spec.min, spec.max, Space.NONE);
    }

    @Override
    void step(int b, Stack below, Threads out) {
        int spaced = Space.next(space, b);
        if (spaced >= 0) {
            // Before a comma no one writes any.
            if (place != Place.BEHIND_ITEM || min == 0) {
                out.add(new ArrayFrame(spec, place, index, min, max, spaced), below);
            }
            return;
        }
        if (!Space.isWhole(space)) {
            return;
        }
        if (b == ']') {
            if (min == 0 && place != Place.BEHIND_COMMA) {
                out.end(0, below);
            }
        } else if (place == Place.BEHIND_ITEM) {
            if (b == ',' && space == Space.NONE && mayGoOn()) {
                out.add(new ArrayFrame(spec, Place.BEHIND_COMMA, index, min, max, Space.NONE), below);
            }
        } else if (mayGoOn()) {
            ArrayFrame then = new ArrayFrame(
                    spec,
                    Place.BEHIND_ITEM,
                    Math.min(index + 1, spec.prefixLength()),
                    Math.max(0, min - 1),
                    max == Syntax.UNBOUNDED ? max : max - 1,
                    Space.NONE);
            spec.item(index).step(b, new Stack(then, below), out);
        }
    }

    private boolean mayGoOn() {
        return max > 0 && spec.item(index).isPossible();
    }

    /** The item above is over. */
    @Override
    void resume(int label, Stack below, Threads out) {
        out.add(this, below);
    }

    @Override
    long place() {
        boolean end = place != Place.BEHIND_COMMA && min == 0;
        boolean more = mayGoOn();
        long item = more && place != Place.BEHIND_ITEM ? spec.item(index).kinds() : 0;
        return (((2 * 4 + place.ordinal()) * 64 + space) * 4 + (end ? 2 : 0) + (more ? 1 : 0)) * 64 + item;
    }

    @Override
    int cost(Stack below) {
        boolean comma = place == Place.BEHIND_COMMA;
        int items = Cost.sum(spec.costOf(index, comma ? Math.max(1, min) : min), comma ? -1 : 0);
        int cost = Cost.sum(Space.cost(space) + 1, items);
        return Cost.sum(cost, below.cost());
    }

    @Override
    Frame alike(int longest) {
        boolean far = max != Syntax.UNBOUNDED && max > longest;
        boolean long_ = min > longest + 1;
        if (!far && !long_) {
            return this;
        }
        return new ArrayFrame(spec, place, index, Math.min(min, longest + 1), far ? Syntax.UNBOUNDED : max, space);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ArrayFrame array
                && spec == array.spec
                && place == array.place
                && index == array.index
                && min == array.min
                && max == array.max
                && space == array.space;
    }

    @Override
    public int hashCode() {
        return ((((System.identityHashCode(spec) * 31 + place.ordinal()) * 31 + index) * 31 + min) * 31 + max) * 31
                + space;
    }
}
