package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import uzu.backend.cpu.Scratch.Slot;

/**
 * What follows some products head by head: who computed a head's columns goes on with them, and where several did, the
 * last of them.
 */
final class HeadSteps {
    /** A row step that can be done head by head. */
    interface Step extends RowStep {
        /** What it changes or keeps. */
        Slot of();

        int headSize();

        /** Heads {@code first} to {@code last} of rows {@code from} to {@code to}. */
        void run(Pass pass, int from, int to, int first, int last);
    }

    private final List<List<Step>> steps = new ArrayList<>();
    private final int[] headUnits;
    private final int[] firstHead;
    private final ProgramScratch scratch;

    private HeadSteps(List<Phase.Product> products, List<Step> all, ProgramScratch scratch) {
        headUnits = new int[products.size()];
        firstHead = new int[products.size()];
        int heads = 0;
        for (int i = 0; i < headUnits.length; i++) {
            Slot out = products.get(i).out();
            List<Step> own = all.stream().filter(step -> step.of() == out).toList();
            steps.add(own);
            firstHead[i] = heads;
            if (!own.isEmpty()) {
                headUnits[i] = own.getFirst().headSize() / LANES;
                heads += products.get(i).matrix().units() / headUnits[i];
            }
        }
        scratch.reserveHeads(heads);
        this.scratch = scratch;
    }

    /** The steps after these products, or null when they can't be done head by head. */
    static @Nullable HeadSteps of(List<Phase.Product> products, List<RowStep> all, ProgramScratch scratch) {
        List<Step> steps = all.stream()
                .filter(Step.class::isInstance)
                .map(Step.class::cast)
                .toList();
        boolean fits = steps.size() == all.size();
        for (Step step : steps) {
            fits &= step.headSize() % LANES == 0
                    && products.stream()
                            .anyMatch(product -> product.out() == step.of()
                                    && !product.add()
                                    && product.matrix().rows() % step.headSize() == 0)
                    && steps.stream().allMatch(other -> other.of() != step.of() || other.headSize() == step.headSize());
        }
        return fits ? new HeadSteps(products, steps, scratch) : null;
    }

    List<Step> all() {
        return steps.stream().flatMap(List::stream).toList();
    }

    /** Units {@code from} to {@code to} of product {@code product} are done. */
    void done(Pass pass, int product, int from, int to) {
        int units = headUnits[product];
        if (units == 0) {
            return;
        }
        int first = (from + units - 1) / units;
        int last = to / units;
        if (first > last) {
            part(pass, product, last, to - from);
            return;
        }
        if (from < first * units) {
            part(pass, product, first - 1, first * units - from);
        }
        run(pass, product, first, last);
        if (to > last * units) {
            part(pass, product, last, to - last * units);
        }
    }

    private void part(Pass pass, int product, int head, int units) {
        int counter = firstHead[product] + head;
        AtomicIntegerArray done = scratch.headsDone();
        if (done.addAndGet(counter, units) == headUnits[product]) {
            done.setPlain(counter, 0);
            run(pass, product, head, head + 1);
        }
    }

    private void run(Pass pass, int product, int first, int last) {
        if (first < last) {
            List<Step> own = steps.get(product);
            for (int i = 0; i < own.size(); i++) {
                own.get(i).run(pass, 0, pass.rows(), first, last);
            }
        }
    }
}
