package uzu.grammar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * Arrays in which kinds of items are counted: those of {@code contains}, or each of the values that there may be once. An
 * item is written as of one kind; of which it is need not be known before it is over.
 */
final class CountedArrays implements ArrayShape {
    /** Of the states that an array may have on its way. */
    private static final int MOST_REMEMBERED = 20_000;

    private static final int MOST_ITEMS = 500;

    /** Of {@code contains}: so many items must there be, and may there be. */
    record Bounds(int min, int max) {}

    /**
     * Where an array is.
     *
     * @param index of the next item, not counted beyond the first items
     * @param min items that must follow
     * @param max items that may follow
     * @param counts of each counted kind, as far as they matter
     */
    record At(int index, int min, int max, List<Integer> counts) {}

    private final List<List<ValueShape>> shapes;
    private final List<int[]> counted;
    private final List<Bounds> bounds;
    private final int min;
    private final int max;
    /** Whether it doesn't matter in which order the kinds come: the cheapest go first. */
    private final boolean isAlike;

    private final Map<At, Integer> costs = new ConcurrentHashMap<>();
    private boolean settled;

    /**
     * @param shapes by index, then by kind; the last are those of all further items
     * @param counted by kind: which of the bounds count it
     */
    CountedArrays(List<List<ValueShape>> shapes, List<int[]> counted, List<Bounds> bounds, int min, int max) {
        this.shapes = List.copyOf(shapes);
        this.counted = List.copyOf(counted);
        this.bounds = List.copyOf(bounds);
        this.min = min;
        this.max = max;
        isAlike = shapes.size() == 1 && bounds.stream().allMatch(each -> each.min == 0);
        checkSize();
    }

    private void checkSize() {
        long states = (min + 1L) * shapes.size();
        for (Bounds each : bounds) {
            states *= isAlike ? 1 : (each.max == Syntax.UNBOUNDED ? each.min : each.max) + 1L;
            if (states > MOST_REMEMBERED / 4) {
                break;
            }
        }
        if (states > MOST_REMEMBERED / 4
                || min > MOST_ITEMS
                || bounds.stream().anyMatch(each -> each.min > MOST_ITEMS)) {
            throw new Unsupported("contains", "there are too many items to count");
        }
    }

    int kinds() {
        return counted.size();
    }

    ValueShape item(At at, int kind) {
        return shapes.get(at.index).get(kind);
    }

    At start() {
        return new At(0, min, max, bounds.stream().map(each -> 0).toList());
    }

    /** Behind an item of a kind. */
    At behind(At at, int kind) {
        Integer[] counts = at.counts.toArray(Integer[]::new);
        for (int each : counted.get(kind)) {
            Bounds bound = bounds.get(each);
            int most = bound.max == Syntax.UNBOUNDED ? bound.min : bound.max;
            counts[each] = Math.min(most, counts[each] + 1);
        }
        return new At(
                Math.min(at.index + 1, shapes.size() - 1),
                Math.max(0, at.min - 1),
                at.max == Syntax.UNBOUNDED ? at.max : at.max - 1,
                List.of(counts));
    }

    /** Whether an item of a kind may come, and the array be ended after it. */
    boolean mayAdd(At at, int kind) {
        return at.max > 0 && hasRoom(at, kind) && item(at, kind).isPossible() && costOf(behind(at, kind)) < Cost.NEVER;
    }

    private boolean hasRoom(At at, int kind) {
        for (int each : counted.get(kind)) {
            int most = bounds.get(each).max;
            if (most != Syntax.UNBOUNDED && at.counts.get(each) >= most) {
                return false;
            }
        }
        return true;
    }

    boolean mayEnd(At at) {
        for (int i = 0; i < bounds.size(); i++) {
            if (at.counts.get(i) < bounds.get(i).min) {
                return false;
            }
        }
        return at.min == 0;
    }

    /** Of the items that suffice, with a comma each. */
    int costOf(At at) {
        if (costs.size() > MOST_REMEMBERED) {
            costs.clear();
        }
        Integer known = costs.get(at);
        if (known != null) {
            return known;
        }
        Map<At, Integer> found = settled ? costs : new HashMap<>();
        return find(at, ValueShape::cost, found);
    }

    private int find(At at, ToIntFunction<ValueShape> cost, Map<At, Integer> found) {
        if (mayEnd(at)) {
            return 0;
        }
        Integer known = found.get(at);
        if (known != null) {
            return known;
        }
        int least = Cost.NEVER;
        int cheapest = -1;
        int own = Cost.NEVER;
        for (int kind = 0; kind < kinds() && at.max > 0; kind++) {
            int each = hasRoom(at, kind) ? cost.applyAsInt(item(at, kind)) : Cost.NEVER;
            if (isAlike) {
                cheapest = each < own ? kind : cheapest;
                own = Math.min(own, each);
            } else if (each < least) {
                At behind = behind(at, kind);
                int rest = behind.equals(at) ? Cost.NEVER : find(behind, cost, found);
                least = Math.min(least, Cost.sum(Cost.sum(1, each), rest));
            }
        }
        if (cheapest >= 0) {
            least = Cost.sum(Cost.sum(1, own), find(behind(at, cheapest), cost, found));
        }
        found.put(at, least);
        return least;
    }

    /** From behind a comma: of one item at least. */
    int costFromComma(At at) {
        int least = Cost.NEVER;
        for (int kind = 0; kind < kinds(); kind++) {
            if (mayAdd(at, kind)) {
                least = Math.min(least, Cost.sum(item(at, kind).cost(), costOf(behind(at, kind))));
            }
        }
        return least;
    }

    @Override
    public boolean isPossible() {
        ToIntFunction<ValueShape> possible = shape -> shape.isPossible() ? 0 : Cost.NEVER;
        return find(start(), possible, new HashMap<>()) < Cost.NEVER;
    }

    @Override
    public int cost() {
        return Cost.sum(2, costOf(start()));
    }

    @Override
    public int dearest() {
        int dearest = 0;
        for (List<ValueShape> each : shapes) {
            for (ValueShape shape : each) {
                dearest = shape.isPossible() ? Math.max(dearest, shape.cost()) : dearest;
            }
        }
        int items = min + 2;
        for (Bounds each : bounds) {
            items = Cost.sum(items, each.min);
        }
        return Cost.sum(cost(), Cost.times(Cost.sum(1, dearest), items));
    }

    @Override
    public void settle() {
        settled = true;
    }

    @Override
    public Frame open() {
        return CountedArrayFrame.open(this);
    }

    /** Each of some values at most once. @param values a shape each */
    static CountedArrays distinct(List<ValueShape> values, int min, int max) {
        List<int[]> counted = new ArrayList<>();
        Bounds[] bounds = new Bounds[values.size()];
        Arrays.fill(bounds, new Bounds(0, 1));
        for (int i = 0; i < values.size(); i++) {
            counted.add(new int[] {i});
        }
        return new CountedArrays(List.of(values), counted, List.of(bounds), min, max);
    }
}
