package uzu.speculate;

import java.util.Arrays;

/**
 * Draws the children of nodes for the verifier that accepts with min(1, p/q), q being what drafters proposed,
 * normalised.
 *
 * <p>The verifier is exact only if a child's place in the tree depends on nothing that its own token decides. So how
 * likely a child is to be accepted is guessed by its rank alone, from how often children of that rank were.
 */
final class Lottery {
    private static final int RANKS = 4;

    /** The first child's chance beside a later one's, until it is known better. */
    private static final float LATER = 0.3f;

    private final Calibration[] ranks = new Calibration[RANKS];

    Lottery() {
        Arrays.setAll(ranks, rank -> new Calibration());
    }

    /** Draws children of {@code node} from what {@code merge} holds; the frontier gets their chances. */
    void draw(Draft draft, int node, Merge merge, Conditions.Lots lots, int rootPosition, Frontier frontier) {
        Chances chances = draft.newChances(node);
        for (int i = 0; i < merge.size(); i++) {
            int token = merge.token(i);
            if (merge.probability(i) > 0) {
                chances.add(token, merge.probability(i), lots.of(rootPosition, node, token));
            }
        }
        chances.finish();
        float reached = draft.probability(node);
        for (int rank = 0; rank < Math.min(RANKS, chances.size()); rank++) {
            float chance = ranks[rank].of(said(chances, rank));
            frontier.push(node, Frontier.NEXT_DRAWN, reached * chance);
            reached *= 1 - chance;
        }
    }

    /** The verifier took {@code token} after {@code node}, whose children it tried in their order. */
    void observe(Draft draft, int node, int token) {
        Chances chances = draft.chances(node);
        if (chances == null) {
            return;
        }
        int tried = draft.children(node);
        for (int rank = 0; rank < tried; rank++) {
            boolean taken = chances.token(rank) == token;
            ranks[rank].observe(said(chances, rank), taken);
            if (taken) {
                return;
            }
        }
    }

    private static float said(Chances chances, int rank) {
        float sum = (float) Math.min(chances.total(), 1);
        return rank == 0 ? sum : LATER * sum;
    }
}
