package uzu.speculate;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A tree to be made: of what, after what, and for how much. */
final class DraftOrder {
    final List<Speculator.Known> drafters;
    final List<GuardedProposer> proposers;

    /** Which of the drafters are asked. */
    final boolean[] asked;

    final Budget budget;
    final PassPrices prices;
    TokenPath path = new NoTokens();
    Conditions conditions = Conditions.GREEDY;

    /** What may come after {@link #path}. */
    Constraint constraint = Constraint.NONE;

    /** Whether nobody waits for the draft any more. */
    BooleanSupplier cancelled = () -> false;

    /** The root included. */
    int maxNodes;

    /** A number of its own for each reply. */
    long reply;

    DraftOrder(List<Speculator.Known> drafters, List<GuardedProposer> proposers, Budget budget, PassPrices prices) {
        this.drafters = drafters;
        this.proposers = proposers;
        this.asked = new boolean[drafters.size()];
        this.budget = budget;
        this.prices = prices;
    }

    int rootPosition() {
        return path.size() - 1;
    }

    private static final class NoTokens implements TokenPath {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public int get(int index) {
            throw new IndexOutOfBoundsException(index);
        }
    }
}
