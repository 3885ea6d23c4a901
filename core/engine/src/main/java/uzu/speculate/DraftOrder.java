package uzu.speculate;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A tree to be made: of what, after what, and for how much. */
final class DraftOrder {
    final List<Speculator.Known> drafters;
    final List<GuardedProposer> proposers;

    /** Which of the drafters are asked. */
    final boolean[] asked;

    /** Of each drafter. */
    final Silence[] silences;

    final Budget budget;
    final PassPrices prices;

    /** Of the conversation up to {@link #path}. */
    final Occurrences occurrences;

    /** Which of the drafters each of {@link Mixture#SOURCES} is; −1: none. */
    private final int[] sources;

    TokenPath path = new NoTokens();
    Conditions conditions = Conditions.GREEDY;

    /** What may come after {@link #path}. */
    Constraint constraint = Constraint.NONE;

    /** Whether the root is a prompt's last token, of whose other tokens the model has computed nothing yet. */
    boolean belowPrompt;

    /** Whether nobody waits for the draft any more. */
    BooleanSupplier cancelled = () -> false;

    /** The root included. */
    int maxNodes;

    /** A number of its own for each reply. */
    long reply;

    DraftOrder(
            List<Speculator.Known> drafters,
            List<GuardedProposer> proposers,
            Budget budget,
            PassPrices prices,
            Occurrences occurrences) {
        this.drafters = drafters;
        this.proposers = proposers;
        this.asked = new boolean[drafters.size()];
        this.silences = new Silence[drafters.size()];
        Arrays.setAll(silences, i -> new Silence());
        this.budget = budget;
        this.prices = prices;
        this.occurrences = occurrences;
        this.sources = Mixture.SOURCES.stream().mapToInt(this::indexOf).toArray();
    }

    private int indexOf(Class<? extends Drafter> kind) {
        for (int i = 0; i < drafters.size(); i++) {
            if (kind.isInstance(drafters.get(i).drafter())) {
                return i;
            }
        }
        return -1;
    }

    /** Which of the drafters {@code source} of the {@link Mixture#SOURCES} is; −1: none. */
    int ofSource(int source) {
        return sources[source];
    }

    /** Whether several {@link Mixture#SOURCES} are asked, and nobody else has said anything after {@code node}. */
    boolean isMixed(Draft draft, int node) {
        int found = 0;
        for (int source : sources) {
            found += source >= 0 && asked[source] ? 1 : 0;
        }
        for (int i = 0; i < asked.length && found > 1; i++) {
            if (!isSource(i) && draft.proposals(node, i).size() > 0) {
                return false;
            }
        }
        return found > 1;
    }

    private boolean isSource(int drafter) {
        for (int source : sources) {
            if (source == drafter) {
                return true;
            }
        }
        return false;
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
