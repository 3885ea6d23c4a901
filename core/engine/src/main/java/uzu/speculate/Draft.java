package uzu.speculate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tree of guesses. Node 0 is the root: the last token drawn, which isn't committed yet. Parents come before children.
 * Also remembers what each drafter proposed after each node, for the calibration.
 */
public final class Draft {
    private final int[] tokens;
    private final int[] parents;
    private final int[] depths;
    private final float[] probabilities;
    private final Proposals[][] proposals;
    private final int[] likeliest;
    private final float[] likeliestChances;
    private final Constraint[] constraints;
    private final int[] children;
    private final @Nullable Chances[] chances;
    private final boolean[] isDrawn;
    private int size;

    /**
     * @param maxNodes the root included
     * @param drafters most drafters that propose
     */
    Draft(int maxNodes, int drafters) {
        tokens = new int[maxNodes];
        parents = new int[maxNodes];
        depths = new int[maxNodes];
        probabilities = new float[maxNodes];
        proposals = new Proposals[maxNodes][drafters];
        likeliest = new int[maxNodes];
        likeliestChances = new float[maxNodes];
        constraints = new Constraint[maxNodes];
        children = new int[maxNodes];
        chances = new Chances[maxNodes];
        isDrawn = new boolean[maxNodes];
        for (Proposals[] of : proposals) {
            Arrays.setAll(of, i -> new Proposals());
        }
    }

    /** Nodes, the root included. */
    public int size() {
        return size;
    }

    public int maxNodes() {
        return tokens.length;
    }

    public int token(int node) {
        return tokens[node];
    }

    /** −1 for the root. */
    public int parent(int node) {
        return parents[node];
    }

    /** Tokens after the root's. */
    public int depth(int node) {
        return depths[node];
    }

    /** The estimated chance that the walk reaches the node. */
    public float probability(int node) {
        return probabilities[node];
    }

    /** The child of {@code node} with {@code token}, or −1. */
    public int child(int node, int token) {
        for (int next = node + 1; next < size; next++) {
            if (parents[next] == node && tokens[next] == token) {
                return next;
            }
        }
        return -1;
    }

    /** What may follow {@code node}, for which proposals were asked. */
    public Constraint constraint(int node) {
        return constraints[node];
    }

    /** Finds what may follow {@code node}; not for a token that ends the reply, after which there is nothing. */
    Constraint constrain(int node) {
        if (parents[node] >= 0) {
            constraints[node] = constraints[parents[node]].after(tokens[node]);
        }
        return constraints[node];
    }

    /** How many children {@code node} has. */
    public int children(int node) {
        return children[node];
    }

    /** What the children of {@code node} were drawn from, in their order; null when they are certain guesses. */
    public @Nullable Chances chances(int node) {
        return isDrawn[node] ? chances[node] : null;
    }

    /** Empty ones, from which the children of {@code node} are drawn. */
    Chances newChances(int node) {
        Chances fresh = chances[node];
        if (fresh == null) {
            fresh = new Chances();
            chances[node] = fresh;
        }
        fresh.clear();
        isDrawn[node] = true;
        return fresh;
    }

    void begin(int rootToken) {
        begin(rootToken, Constraint.NONE);
    }

    /** @param constraint what may follow the root */
    void begin(int rootToken, Constraint constraint) {
        size = 0;
        constraints[0] = constraint;
        add(-1, rootToken, 1);
    }

    int add(int parent, int token, float probability) {
        if (parent >= 0) {
            children[parent]++;
        }
        children[size] = 0;
        isDrawn[size] = false;
        tokens[size] = token;
        parents[size] = parent;
        depths[size] = parent < 0 ? 0 : depths[parent] + 1;
        probabilities[size] = probability;
        likeliest[size] = -1;
        for (Proposals of : proposals[size]) {
            of.clear();
        }
        return size++;
    }

    /** The likeliest candidate for what follows {@code node}, and its estimated chance there. */
    void expect(int node, int token, float chance) {
        likeliest[node] = token;
        likeliestChances[node] = chance;
    }

    /** −1: none is known. */
    int likeliest(int node) {
        return likeliest[node];
    }

    float chance(int node) {
        return likeliestChances[node];
    }

    /** Keeps the first {@code nodes}. */
    void cut(int nodes) {
        while (size > nodes) {
            size--;
            children[parents[size]]--;
        }
    }

    Proposals proposals(int node, int drafter) {
        return proposals[node][drafter];
    }
}
