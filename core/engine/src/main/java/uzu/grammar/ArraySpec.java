package uzu.grammar;

import java.util.List;

/** What an array may hold: its first items one by one, then any number of others. */
final class ArraySpec implements ArrayShape {
    final int min;
    final int max;
    private final List<ValueShape> prefix;
    private final ValueShape rest;

    ArraySpec(List<ValueShape> prefix, ValueShape rest, int min, int max) {
        this.prefix = List.copyOf(prefix);
        this.rest = rest;
        this.min = min;
        this.max = max;
    }

    int prefixLength() {
        return prefix.size();
    }

    ValueShape item(int index) {
        return index < prefix.size() ? prefix.get(index) : rest;
    }

    @Override
    public boolean isPossible() {
        for (int i = 0; i < Math.min(min, prefix.size()); i++) {
            if (!prefix.get(i).isPossible()) {
                return false;
            }
        }
        return min <= max && (min <= prefix.size() || rest.isPossible());
    }

    @Override
    public int cost() {
        return Cost.sum(2, costOf(0, min));
    }

    @Override
    public int dearest() {
        return cost();
    }

    @Override
    public void settle() {
        // What it costs is summed anew each time.
    }

    @Override
    public Frame open() {
        return ArrayFrame.open(this);
    }

    /** Of {@code count} items from {@code index} on, with a comma each. */
    int costOf(int index, int count) {
        int cost = 0;
        while (count > 0 && index < prefix.size()) {
            cost = Cost.sum(cost, Cost.sum(1, prefix.get(index).cost()));
            index++;
            count--;
        }
        return count == 0 ? cost : Cost.sum(cost, Cost.times(Cost.sum(1, rest.cost()), count));
    }
}
