package uzu.generate;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.speculate.DraftSession;
import uzu.speculate.PassCostMeasurement;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;
import uzu.speculate.Speculator;

/**
 * The instance's speculator, made when somebody first asks for it. What passes cost is measured while there is nothing
 * else to do, and kept for the next time.
 */
final class Speculators {
    private final Executable executable;
    private final int[] endTokens;
    private final PassCostStore store;
    private final LongSupplier clock;
    private @Nullable Speculator speculator;
    private @Nullable PassCostMeasurement measurement;

    Speculators(Executable executable, int[] endTokens, PassCostStore store, LongSupplier clock) {
        this.executable = executable;
        this.endTokens = endTokens;
        this.store = store;
        this.clock = clock;
    }

    /** Somebody will ask for drafts. */
    Speculator expect() {
        Speculator known = speculator;
        if (known == null) {
            PassCosts kept = kept();
            known = new Speculator(kept == null ? new PassCosts() : kept, clock, endTokens);
            measurement = new PassCostMeasurement(executable, clock, known.costs());
            speculator = known;
        }
        return known;
    }

    private @Nullable PassCosts kept() {
        try {
            return store.load();
        } catch (RuntimeException | Error e) {
            // As good as none.
            return null;
        }
    }

    DraftSession session() {
        return new DraftSession(expect());
    }

    /**
     * Whether an idle machine has something to measure.
     *
     * @param conversation some sequence that is kept, or null
     */
    boolean wantsIdle(@Nullable Sequence conversation) {
        return measurement != null && measurement.isWanted(conversation);
    }

    /** Measures a little. */
    void idle(@Nullable Sequence conversation, BooleanSupplier cancelled) {
        if (speculator == null || measurement == null) {
            return;
        }
        try {
            measurement.step(speculator.costs(), conversation, cancelled);
            if (!wantsIdle(conversation)) {
                store.save(speculator.costs());
            }
        } catch (RuntimeException | Error e) {
            // Passes go on teaching what they cost.
            measurement = null;
        }
    }

    /** A pass over {@code batch} took so long. */
    void passed(StepBatch batch, long nanos) {
        if (speculator != null && batch.wantsAll()) {
            speculator.costs().passed(batch.size(), batch.reads(), nanos / 1e9);
        }
    }

    void close() {
        if (speculator != null && measurement != null) {
            measurement.close();
            if (measurement.isRowsKnown()) {
                store.save(speculator.costs());
            }
        }
    }
}
