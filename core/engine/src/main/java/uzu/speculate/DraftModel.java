package uzu.speculate;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Sequence;
import uzu.tokenizer.Tokenizer;

/** Guesses by a smaller model with the target's vocabulary, which reads the whole conversation too. */
public final class DraftModel implements Drafter {
    /** Vocabularies of models of one family are padded to different sizes. */
    private static final int MOST_SIZES_DIFFER = 128;

    /** The first passes are slow, and seconds that are too long keep a drafter from being asked. */
    private static final int TRIALS = 4;

    /** Reading a prompt takes as long as some drafts, so that while these don't pay only one in so many is read. */
    private static final int PROMPTS_SPARED = 16;

    private final Executable model;
    private final int vocabulary;
    private final int columns;
    private final Runnable free;
    private final RunningCost cost = new RunningCost();
    private boolean pays = true;
    private int spared;

    /**
     * @param columns of the model's logits
     * @param vocabulary tokens that the target knows; no others are proposed
     * @param free called when it is closed, after the last pass
     */
    public DraftModel(Executable model, int columns, int vocabulary, Runnable free) {
        this.model = model;
        this.columns = columns;
        this.vocabulary = Math.min(vocabulary, columns);
        this.free = free;
        measure();
    }

    /**
     * Refuses a model whose tokens mean something else than the target's.
     *
     * @param identifier the draft model's, for the error
     * @throws UzuException.InvalidArgument naming the first difference
     */
    public static void checkVocabulary(String identifier, Tokenizer draft, Tokenizer target) {
        if (Math.abs(draft.size() - target.size()) > MOST_SIZES_DIFFER) {
            throw refused(identifier, draft.size() + " tokens, the model " + target.size());
        }
        for (int id = 0; id < Math.min(draft.size(), target.size()); id++) {
            if (!Arrays.equals(draft.bytes(id), target.bytes(id))) {
                throw refused(identifier, "another token " + id);
            }
        }
        if (draft.addsBos() != target.addsBos() || differ(draft.bos(), target.bos(), draft.addsBos())) {
            throw refused(identifier, "another beginning of texts");
        }
        if (differ(draft.eos(), target.eos(), true)) {
            throw refused(identifier, "another end of texts");
        }
    }

    private static boolean differ(OptionalInt one, OptionalInt other, boolean matters) {
        return matters && !one.equals(other);
    }

    private static UzuException refused(String identifier, String has) {
        return new UzuException.InvalidArgument(
                identifier + " can't draft for this model: it has " + has,
                Map.of("field", "drafters", "model", identifier));
    }

    private void measure() {
        try (Sequence sequence = model.newSequence()) {
            IndexRows rows = new IndexRows(sequence);
            rows.chain(new int[1], 1, new float[0], true);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIALS; i++) {
                long begun = System.nanoTime();
                model.run(rows, () -> false, null);
                least = Math.min(least, System.nanoTime() - begun);
            }
            cost.took(least);
        }
    }

    @Override
    public String name() {
        return "draft model";
    }

    @Override
    public Proposer proposer() {
        return new DraftModelProposer(this, model, columns, vocabulary, cost);
    }

    @Override
    public void expect(boolean pays) {
        this.pays = pays;
    }

    /** Whether a conversation's new prompt is worth reading before a draft asks. */
    boolean readsPrompt() {
        if (pays || ++spared >= PROMPTS_SPARED) {
            spared = 0;
            return true;
        }
        return false;
    }

    @Override
    public double seconds() {
        return cost.seconds();
    }

    /** Bytes of its weights. */
    public long weightBytes() {
        return model.weightBytes();
    }

    @Override
    public void close() {
        free.run();
    }
}
