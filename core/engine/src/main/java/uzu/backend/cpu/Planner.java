package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Activation;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Value;
import uzu.backend.Weight;
import uzu.backend.cpu.Scratch.Slot;

/**
 * Turns the operations of a program into phases, once. Operations that keep to their row go into one phase; products
 * and attention end it. So workers wait for each other only where one needs what another computed.
 */
final class Planner {
    private final Program program;
    private final MatrixKernels matrices;
    private final RowKernels rows;
    private final KeyValueLayout layout;
    private final int workers;
    private final ProgramScratch scratch;
    private final Phase.@Nullable Tracing tracing;
    private final List<CpuFeatures> features;
    private final @Nullable ScreenedReadout readout;
    // By identity: a record's hash would take in all its parts.
    private final Set<Weight> weights = Collections.newSetFromMap(new IdentityHashMap<>());
    private int vocabulary = Integer.MAX_VALUE;
    private int inputWidth;
    private final Set<Value> readOnce;
    private final Set<Integer> stored = new HashSet<>();

    private final List<Phase> phases = new ArrayList<>();
    private List<RowStep> steps = new ArrayList<>();
    private boolean head;
    // What the last phase has prepared for a product that follows at once.
    private RowStep.@Nullable Prepare ready;

    /**
     * @param tracing who sees the taps; null leaves them out, with their barriers
     * @param features what else is kept of them
     * @param readout screens the last product, if it suits; null for none
     */
    Planner(
            Program program,
            MatrixKernels matrices,
            RowKernels rows,
            KeyValueLayout layout,
            int workers,
            ProgramScratch scratch,
            Phase.@Nullable Tracing tracing,
            List<CpuFeatures> features,
            @Nullable ScreenedReadout readout) {
        this.program = program;
        this.matrices = matrices;
        this.rows = rows;
        this.layout = layout;
        this.workers = workers;
        this.scratch = scratch;
        this.tracing = tracing;
        this.features = List.copyOf(features);
        List<Op> ops = Stream.concat(program.body().stream(), program.head().stream())
                .filter(this::isOf)
                .toList();
        readOnce = OwnInputs.readOnce(ops, program.hidden(), program.logits());
        this.readout = readout;
    }

    Plan plan() {
        addAll(program.body());
        List<RowStep> angles = new ArrayList<>();
        scratch.angles().forEach((rope, table) -> angles.add(new Angles(rope, table)));
        endRows();
        if (!angles.isEmpty()) {
            phases.addFirst(new Phase.Rows(List.copyOf(angles), Phase.When.ALWAYS, false));
        }
        phases.add(new Phase.Compact(
                scratch.value(program.hidden(), false), program.hidden().width()));
        head = true;
        addAll(program.head());
        endRows();
        Slot logits = scratch.value(program.logits(), true);
        boolean storesAll = stored.size() == layout.layers().size();
        return new Plan(
                List.copyOf(phases), logits, program.logits().width(), vocabulary, inputWidth, storesAll, weights);
    }

    private void addAll(List<Op> all) {
        List<Op> ops = all.stream().filter(this::isOf).toList();
        for (int i = 0; i < ops.size(); i++) {
            Op next = i + 1 < ops.size() ? ops.get(i + 1) : null;
            Op afterNext = i + 2 < ops.size() ? ops.get(i + 2) : null;
            if (ops.get(i) instanceof Op.MatMul products
                    && next instanceof Op.Gate gate
                    && afterNext instanceof Op.MatMul down
                    && multiplyGated(products, gate, down)) {
                i++;
            } else if (ops.get(i) instanceof Op.MatMul products) {
                i += multiply(products, ops.subList(i + 1, ops.size()));
            } else if (ops.get(i) instanceof Op.Attend attend) {
                attend(attend, next);
            } else {
                add(ops.get(i));
            }
        }
    }

    /** Whether anything comes of the operation. */
    private boolean isOf(Op op) {
        return !(op instanceof Op.Tap tap)
                || tracing != null
                || features.stream().anyMatch(kept -> kept.column(tap.name()) >= 0);
    }

    private void add(Op op) {
        switch (op) {
            case Op.Embed embed -> {
                PackedMatrix table = matrix(embed.table(), op);
                check(table.columns() == embed.out().width(), op);
                vocabulary = Math.min(vocabulary, table.rows());
                steps.add(new RowStep.Embed(matrices, table, embed.scale(), slot(embed.out())));
            }
            case Op.Input input -> {
                int width = input.out().width();
                check(!head && (inputWidth == 0 || inputWidth == width), op);
                inputWidth = width;
                steps.add(new RowStep.Input(width, slot(input.out())));
            }
            case Op.Norm norm -> {
                CpuVector weight = vector(norm.weight(), op);
                int width = norm.in().width();
                check(width == norm.out().width() && width % weight.columns() == 0, op);
                steps.add(new RowStep.Norm(rows, slot(norm.in()), width, weight, norm.epsilon(), slot(norm.out())));
            }
            case Op.MatMul product -> multiply(product, List.of());
            case Op.Rotate rotate -> {
                int half = rotate.rope().frequencies().length;
                int width = rotate.x().width();
                check(width % rotate.headSize() == 0 && 2 * half <= rotate.headSize(), op);
                Slot table = scratch.angles(rotate.rope());
                steps.add(new RowStep.Rotate(rows, slot(rotate.x()), width, rotate.headSize(), half, table));
            }
            case Op.Store store -> {
                Program.Layer layer = layer(store.layer(), op);
                int width = layer.kvHeads() * layer.headSize();
                stored.add(store.layer());
                check(store.keys().width() == width && store.values().width() == width, op);
                steps.add(new RowStep.Store(rows, layout, store.layer(), true, slot(store.keys())));
                steps.add(new RowStep.Store(rows, layout, store.layer(), false, slot(store.values())));
            }
            case Op.Attend attend -> attend(attend, null);
            case Op.Gate gate -> {
                int width = gate.out().width();
                check(gate.gate().width() == width && gate.up().width() == width, op);
                steps.add(new RowStep.Gate(
                        rows, gate.activation(), slot(gate.gate()), slot(gate.up()), width, slot(gate.out())));
            }
            case Op.Add add -> {
                check(add.in().width() == add.out().width(), op);
                steps.add(new RowStep.Add(rows, slot(add.in()), add.in().width(), slot(add.out())));
            }
            case Op.SoftCap cap -> {
                check(cap.softCap() > 0, op);
                end(new Phase.SoftCap(rows, slot(cap.x()), cap.x().width(), cap.softCap(), head));
            }
            case Op.Tap tap -> {
                int width = tap.in().width();
                for (CpuFeatures kept : features) {
                    if (kept.column(tap.name()) >= 0) {
                        steps.add(new RowStep.Keep(slot(tap.in()), width, kept, kept.column(tap.name()), head));
                    }
                }
                if (tracing != null) {
                    end(new Phase.Tap(tap.name(), slot(tap.in()), width, head, tracing));
                }
            }
        }
    }

    /** How many of the operations that follow are done with the products, head by head. */
    private int multiply(Op.MatMul op, List<Op> following) {
        List<Phase.Product> products = products(op);
        int units = products.stream().mapToInt(p -> p.matrix().units()).sum();
        OwnInputs own = own(op.in(), products);
        endRows();
        int taken = 0;
        while (taken < following.size() && isByHeads(following.get(taken))) {
            add(following.get(taken));
            taken++;
        }
        // A norm alone is of the product's whole width.
        boolean byHeads = !head && steps.stream().anyMatch(RowStep.Rotate.class::isInstance);
        HeadSteps after = byHeads ? HeadSteps.of(products, steps, scratch) : null;
        if (after != null) {
            steps = new ArrayList<>();
        }
        Phase.Multiply multiply = new Phase.Multiply(matrices, products, own, after, units, head);
        if (readout != null && endsHead(op) && ScreenedReadout.suits(products.getFirst())) {
            phases.addAll(readout.phases(multiply, slot(op.in())));
        } else {
            phases.add(multiply);
        }
        return taken;
    }

    private static boolean isByHeads(Op op) {
        return op instanceof Op.Rotate
                || op instanceof Op.Store
                || op instanceof Op.Norm norm && norm.in() == norm.out();
    }

    /** Whether the product is what the program ends with. */
    private boolean endsHead(Op.MatMul op) {
        List<Op> ops =
                program.head().stream().filter(o -> !(o instanceof Op.Tap)).toList();
        return head
                && ops.getLast() == op
                && op.projections().size() == 1
                && op.projections().getFirst().out() == program.logits();
    }

    /** The products, with their inputs prepared. */
    private List<Phase.Product> products(Op.MatMul op) {
        List<Phase.Product> products = new ArrayList<>();
        List<RowStep.Prepare> inputs = new ArrayList<>();
        if (ready != null && ready.in() == slot(op.in())) {
            inputs.add(ready);
        }
        ready = null;
        for (Op.Projection projection : op.projections()) {
            PackedMatrix matrix = matrix(projection.weight(), op);
            check(
                    matrix.columns() == op.in().width()
                            && matrix.rows() == projection.out().width(),
                    op);
            RowStep.Prepare input = inputs.stream()
                    .filter(prepare -> prepare.matrix().sharesInput(matrix))
                    .findFirst()
                    .orElseGet(() -> {
                        RowStep.Prepare prepare = prepare(inputs.size(), matrix, op.in());
                        inputs.add(prepare);
                        steps.add(prepare);
                        return prepare;
                    });
            CpuVector bias = projection.bias() == null ? null : vector(projection.bias(), op);
            check(bias == null || bias.columns() == matrix.rows(), op);
            products.add(new Phase.Product(matrix, input.prepared(), bias, slot(projection.out()), projection.add()));
        }
        return List.copyOf(products);
    }

    /**
     * Has the workers make {@code in} for themselves where rows are few, if the last steps norm and prepare it for these
     * products. Those before are a phase of their own then.
     */
    private @Nullable OwnInputs own(Value in, List<Phase.Product> products) {
        int first = steps.size();
        List<RowStep.Prepare> prepares = new ArrayList<>();
        while (first > 0 && steps.get(first - 1) instanceof RowStep.Prepare prepare) {
            prepares.addFirst(prepare);
            first--;
        }
        boolean matches = first > 0
                && steps.get(first - 1) instanceof RowStep.Norm norm
                && norm.out() == slot(in)
                && readOnce.contains(in)
                && prepares.stream().allMatch(prepare -> prepare.in() == slot(in))
                && products.stream()
                        .allMatch(product -> product.out() != norm.in()
                                && prepares.stream().anyMatch(made -> made.prepared() == product.prepared()));
        if (!matches) {
            return null;
        }
        OwnInputs own = new OwnInputs((RowStep.Norm) steps.get(first - 1), prepares, head, workers, scratch);
        if (first > 1) {
            phases.add(new Phase.Rows(List.copyOf(steps.subList(0, first - 1)), Phase.When.FEW_ROWS, head));
        }
        phases.add(new Phase.Rows(List.copyOf(steps), Phase.When.MANY_ROWS, head));
        steps = new ArrayList<>();
        return own;
    }

    /** @param number tells apart what is prepared at the same time */
    private RowStep.Prepare prepare(int number, PackedMatrix matrix, Value in) {
        return new RowStep.Prepare(matrices, matrix, slot(in), scratch.prepared(number, matrix.columns()));
    }

    /** The matrix of a product with {@code in}, if that is what follows. */
    private Optional<PackedMatrix> consumer(@Nullable Op next, Value in) {
        return next instanceof Op.MatMul product && product.in() == in
                ? Optional.of(matrix(product.projections().getFirst().weight(), product))
                : Optional.empty();
    }

    /** Takes two products and their gate into one phase, if that is what they are. */
    private boolean multiplyGated(Op.MatMul op, Op.Gate gate, Op.MatMul down) {
        List<Value> outs = op.projections().stream().map(Op.Projection::out).toList();
        boolean matches = outs.equals(List.of(gate.gate(), gate.up()))
                && op.projections().stream().noneMatch(Op.Projection::add)
                && gate.out() == gate.gate()
                && down.in() == gate.out();
        if (!matches) {
            return false;
        }
        PackedMatrix next = matrix(down.projections().getFirst().weight(), down);
        check(
                gate.up().width() == gate.gate().width()
                        && next.columns() == gate.gate().width(),
                gate);
        List<Phase.Product> products = products(op);
        Phase.Product first = products.getFirst();
        Phase.Product second = products.getLast();
        OwnInputs own = own(op.in(), products);
        RowStep.Prepare prepare = prepare(products.size(), next, gate.out());
        Activation activation = gate.activation();
        end(new GatedMultiply(matrices, rows, first, second, own, activation, next, prepare.prepared(), head));
        ready = prepare;
        return true;
    }

    private void attend(Op.Attend op, @Nullable Op next) {
        Program.Layer layer = layer(op.layer(), op);
        int width = op.heads() * layer.headSize();
        check(!head && op.heads() % layer.kvHeads() == 0, op);
        check(op.queries().width() == width && op.out().width() == width, op);
        int group = op.heads() / layer.kvHeads();
        ready = Attention.preparesHeads(op.heads(), layer)
                ? consumer(next, op.out())
                        .map(matrix -> prepare(0, matrix, op.out()))
                        .orElse(null)
                : null;
        end(new Attention(
                rows,
                layout,
                workers,
                op.layer(),
                op.heads(),
                op.scale(),
                op.window(),
                op.softCap(),
                op.causal(),
                slot(op.queries()),
                slot(op.out()),
                ready,
                scratch.partials(group, layer.headSize()),
                scratch.room(group, layer.headSize()),
                scratch.blocksDone()));
    }

    /** Closes the phase of row steps and adds {@code phase}. */
    private void end(Phase phase) {
        endRows();
        phases.add(phase);
    }

    private void endRows() {
        if (!steps.isEmpty()) {
            phases.add(new Phase.Rows(List.copyOf(steps), Phase.When.ALWAYS, head));
            steps = new ArrayList<>();
        }
    }

    private Slot slot(Value value) {
        return scratch.value(value, head);
    }

    private Program.Layer layer(int number, Op op) {
        check(number >= 0 && number < program.layers().size(), op);
        return layout.layer(number);
    }

    private PackedMatrix matrix(Weight weight, Op op) {
        check(weight instanceof PackedMatrix, op);
        weights.add(weight);
        return (PackedMatrix) weight;
    }

    private CpuVector vector(Weight weight, Op op) {
        check(weight instanceof CpuVector, op);
        weights.add(weight);
        return (CpuVector) weight;
    }

    private static void check(boolean fits, Op op) {
        if (!fits) {
            throw new UzuException.InvalidArgument(
                    "the program's shapes don't fit together in " + op, Map.of("op", op.toString()));
        }
    }
}
