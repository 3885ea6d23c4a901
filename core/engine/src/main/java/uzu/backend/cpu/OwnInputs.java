package uzu.backend.cpu;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import uzu.backend.Op;
import uzu.backend.Value;
import uzu.backend.cpu.Scratch.Slot;

/**
 * A norm and what products take of it, where rows are few: each worker makes them for itself before its first part. That
 * takes less than waiting for the one who makes them for all, and then for its cache lines.
 */
final class OwnInputs {
    private static final int MOST_ROWS = PreparedInput.ROWS;
    // Two cache lines, as processors fetch lines in pairs.
    private static final int ALIGNMENT = 128;
    private static final int PAD = ALIGNMENT / Long.BYTES;

    private final RowStep.Norm norm;
    private final List<RowStep.Prepare> prepares;
    private final boolean head;
    private final Slot room;
    // Of each worker: normed rows, then prepared ones, each of so many bytes.
    private final long normedBytes;
    private final long preparedBytes;
    private final long roomBytes;
    // Of worker w, at w · PAD: the pass for which it has made them.
    private final long[] made;

    OwnInputs(RowStep.Norm norm, List<RowStep.Prepare> prepares, boolean head, int workers, ProgramScratch scratch) {
        this.norm = norm;
        this.prepares = List.copyOf(prepares);
        this.head = head;
        normedBytes = aligned(4L * MOST_ROWS * norm.width());
        preparedBytes = aligned(prepares.getFirst().kernels().preparedBytes(norm.width(), MOST_ROWS));
        roomBytes = normedBytes + prepares.size() * preparedBytes;
        room = scratch.own(roomBytes);
        made = new long[workers * PAD];
    }

    /** Whether rows are so few that workers make their own. */
    static boolean areFew(Pass pass, boolean head) {
        return pass.workers() > 1 && pass.rows(head) <= MOST_ROWS;
    }

    /** Where {@code worker} finds what all take from {@code shared} where rows are many. */
    long prepared(Pass pass, Slot shared, int worker) {
        if (!areFew(pass, head)) {
            return shared.address;
        }
        long normed = room.address + worker * roomBytes;
        if (made[worker * PAD] != pass.number()) {
            make(pass.rows(head), normed);
            made[worker * PAD] = pass.number();
        }
        int index = 0;
        while (prepares.get(index).prepared() != shared) {
            index++;
        }
        return normed + normedBytes + index * preparedBytes;
    }

    private void make(int rows, long normed) {
        norm.run(rows, normed);
        long prepared = normed + normedBytes;
        for (int i = 0; i < prepares.size(); i++) {
            prepares.get(i).run(rows, normed, prepared + i * preparedBytes);
        }
    }

    private static long aligned(long bytes) {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /**
     * Norms' outputs that nothing reads but the product which follows at once.
     *
     * @param results what is read from outside
     */
    static Set<Value> readOnce(List<Op> ops, Value... results) {
        Set<Value> normed = new HashSet<>();
        Set<Value> others = new HashSet<>(List.of(results));
        Op before = null;
        for (Op op : ops) {
            Value fresh =
                    op instanceof Op.MatMul product && before instanceof Op.Norm norm && norm.out() == product.in()
                            ? norm.out()
                            : null;
            if (fresh != null) {
                normed.add(fresh);
            }
            op.reads().stream().filter(value -> !value.equals(fresh)).forEach(others::add);
            before = op;
        }
        normed.removeAll(others);
        return normed;
    }
}
