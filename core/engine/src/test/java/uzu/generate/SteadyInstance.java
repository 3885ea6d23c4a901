package uzu.generate;

import java.util.concurrent.TimeUnit;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;

/** An instance that drafts alike on any machine: time passes only in passes, a millisecond in each, whatever its rows. */
public final class SteadyInstance {
    private static final PassCostStore ALIKE = new PassCostStore() {
        @Override
        public PassCosts load() {
            return new PassCosts(new int[] {1, 64}, new double[] {0.001, 0.001});
        }

        @Override
        public void save(PassCosts costs) {}
    };

    private SteadyInstance() {}

    public static Instance of(ToyExecutable executable) {
        return new Instance(
                executable,
                new ToyTokenizer(),
                ToyExecutable.VOCABULARY,
                new int[] {ToyTokenizer.END},
                ALIKE,
                () -> TimeUnit.MILLISECONDS.toNanos(executable.passes.get()));
    }
}
