package uzu.generate;

import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.speculate.DraftSession;
import uzu.speculate.PassCostMeasurement;
import uzu.speculate.Speculator;

/** The instance's speculator, made when a reply first asks for it: until then passes needn't be measured. */
final class Speculators {
    private final Executable executable;
    private @Nullable Speculator speculator;

    Speculators(Executable executable) {
        this.executable = executable;
    }

    DraftSession session() {
        if (speculator == null) {
            speculator = new Speculator(PassCostMeasurement.measure(executable));
        }
        return new DraftSession(speculator);
    }

    /** A pass over {@code batch} took so long. */
    void passed(StepBatch batch, long nanos) {
        if (speculator != null && batch.wantsAllLogits()) {
            speculator.costs().passed(batch.size(), nanos / 1e9);
        }
    }
}
