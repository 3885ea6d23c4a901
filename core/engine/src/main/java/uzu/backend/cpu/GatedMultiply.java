package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;

import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Activation;
import uzu.backend.cpu.Scratch.Slot;

/**
 * A gated layer up to its last product: of both products each worker computes the same columns, gates them and prepares
 * what comes out for the product after. So only what is prepared goes from core to core.
 *
 * @param out gate's output, of which the gated columns take the place
 * @param next the matrix whose inputs they are
 * @param prepared where they are prepared, other than what the two products read
 */
record GatedMultiply(
        MatrixKernels matrices,
        RowKernels rows,
        Phase.Product gate,
        Phase.Product up,
        @Nullable OwnInputs own,
        Activation activation,
        PackedMatrix next,
        Slot prepared,
        boolean head)
        implements Phase {
    private static final int UNITS_OF_GROUP = GROUP / LANES;

    List<Phase.Product> products() {
        return List.of(gate, up);
    }

    @Override
    public int parts(Pass pass, int workers) {
        long count = pass.rows(head);
        int columns = gate.matrix().columns();
        return count == 0 ? 0 : Phase.Multiply.partsOf(2L * columns * next.columns() * count, groups(), workers);
    }

    @Override
    public void run(Pass pass, int part, int parts, int worker) {
        int count = pass.rows(head);
        int width = next.columns();
        int first = Phase.taperedShare(groups(), part, parts, pass.workers());
        int last = Phase.taperedShare(groups(), part + 1, parts, pass.workers());
        int units = Math.min(last * UNITS_OF_GROUP, gate.matrix().units());
        gate.run(matrices, own, pass, worker, first * UNITS_OF_GROUP, units, count);
        up.run(matrices, own, pass, worker, first * UNITS_OF_GROUP, units, count);
        long at = 4L * first * GROUP;
        int columns = Math.min(last * GROUP, width) - first * GROUP;
        long gated = gate.out().address;
        rows.gate(activation, gated + at, up.out().address + at, count, columns, width, gated + at);
        matrices.prepare(next, gated, width, 0, count, first, last, prepared.address);
    }

    private int groups() {
        return MatrixLayout.groups(next.columns());
    }
}
