package uzu.speculate;

import org.jspecify.annotations.Nullable;

/** Where what passes cost is kept from one run of the program to the next. */
public interface PassCostStore {
    /** Nothing is kept. */
    PassCostStore NONE = new PassCostStore() {
        @Override
        public @Nullable PassCosts load() {
            return null;
        }

        @Override
        public void save(PassCosts costs) {}
    };

    /** What was kept, or null. */
    @Nullable PassCosts load();

    /** Keeps {@code costs} where that is possible. */
    void save(PassCosts costs);
}
