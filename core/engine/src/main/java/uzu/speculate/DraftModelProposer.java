package uzu.speculate;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/**
 * A draft model's side of one conversation. Its sequence follows the conversation's tokens: those of a prompt chunk by
 * chunk with the target's, the others when a draft asks.
 */
final class DraftModelProposer implements Proposer {
    /** Further behind, because it wasn't worth asking for long, it is silent until the next reply. */
    private static final int MOST_BEHIND = 24;

    private static final float[] NO_INPUTS = {};
    private static final BooleanSupplier NEVER = () -> false;

    private final DraftModel drafter;
    private final Executable model;
    private final Sequence sequence;
    private final IndexRows rows;
    private final RunningCost cost;
    private final TopTokens top;
    private final TopTokens.Tokens tokens = token -> token;
    private final float[] logits;

    private boolean beforePrompt = true;

    /** Whether a prompt is being computed, which it takes in along with the target. */
    private boolean catchesUp;

    // After the sequence's last token, if it was asked for.
    private final float[] rootLogits;
    private int rootKnown = -1;

    // Of the current draft.
    private @Nullable TokenPath path;
    private Conditions conditions = Conditions.GREEDY;
    private int[] rowOf = {};
    private int drafted;

    private int[] chunk = new int[16];

    DraftModelProposer(DraftModel drafter, Executable model, int columns, int vocabulary, RunningCost cost) {
        this.drafter = drafter;
        this.model = model;
        this.cost = cost;
        top = new TopTokens(vocabulary);
        logits = new float[columns];
        rootLogits = new float[columns];
        sequence = model.newSequence();
        rows = new IndexRows(sequence);
    }

    @Override
    public void truncate(int length) {
        beforePrompt = true;
        if (sequence.length() > length) {
            sequence.truncate(length);
            rootKnown = -1;
        }
    }

    @Override
    public void committed(TokenPath path, int from, int[] committed, Executable target) {
        if (beforePrompt) {
            beforePrompt = false;
            catchesUp = drafter.readsPrompt();
        }
        if (catchesUp) {
            int end = from + committed.length;
            catchUp(path, Math.min(end, sequence.length() + model.maxRows()), false);
            catchesUp = sequence.length() < end || path.size() > end + 1;
        }
    }

    /** Takes in the tokens before {@code end}. */
    private void catchUp(TokenPath path, int end, boolean wantsLast) {
        while (sequence.length() < end) {
            int from = sequence.length();
            int count = Math.min(end - from, model.maxRows());
            if (chunk.length < count) {
                chunk = new int[count];
            }
            int[] all = new int[count];
            for (int i = 0; i < count; i++) {
                chunk[i] = path.get(from + i);
                all[i] = i;
            }
            boolean last = wantsLast && from + count == end;
            rows.chain(chunk, count, NO_INPUTS, last);
            model.run(rows, NEVER, null);
            if (last) {
                model.logits(count - 1, rootLogits);
                rootKnown = end;
            }
            sequence.commit(all);
        }
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        this.path = path;
        this.conditions = conditions;
        drafted = 0;
        Arrays.fill(rowOf, -1);
    }

    @Override
    public void propose(Draft draft, int node, Proposals into) {
        TokenPath path = Objects.requireNonNull(this.path);
        if (rowOf.length < draft.maxNodes()) {
            rowOf = new int[draft.maxNodes()];
            Arrays.fill(rowOf, -1);
        }
        int parent = draft.parent(node);
        if (node == 0) {
            if (!afterRoot(path)) {
                return;
            }
        } else if (rootKnown == path.size() && (parent == 0 || rowOf[parent] >= 0) && drafted < model.maxRows()) {
            after(draft.token(node), node, parent == 0 ? -1 : rowOf[parent]);
        } else {
            return; // what this would go on from was not asked for
        }
        top.propose(logits, 1, conditions, path.size() + draft.depth(node), tokens, into);
    }

    /** False when it is behind: nobody waits for long, and a cancel is heard. */
    private boolean afterRoot(TokenPath path) {
        if (rootKnown != path.size()) {
            if (sequence.length() >= path.size()) {
                sequence.truncate(path.size() - 1);
            }
            if (path.size() - sequence.length() > Math.min(MOST_BEHIND, model.maxRows())) {
                return false;
            }
            long begun = System.nanoTime();
            catchUp(path, path.size(), true);
            cost.took(System.nanoTime() - begun);
        }
        System.arraycopy(rootLogits, 0, logits, 0, logits.length);
        return true;
    }

    private void after(int token, int node, int parentRow) {
        long begun = System.nanoTime();
        rows.single(drafted, token, parentRow, NO_INPUTS);
        model.run(rows, NEVER, null);
        rowOf[node] = drafted++;
        model.logits(rowOf[node], logits);
        cost.took(System.nanoTime() - begun);
    }

    @Override
    public void close() {
        sequence.close();
    }
}
