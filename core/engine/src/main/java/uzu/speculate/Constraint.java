package uzu.speculate;

import uzu.backend.Logits;

/**
 * What a reply's next token may be: a grammar's state, say. Immutable, so that a draft's branches share what they have
 * in common and nothing is ever rolled back. For the thread that runs the model's passes.
 */
public interface Constraint {
    /** Every token may come. */
    Constraint NONE = new AnyToken(Integer.MAX_VALUE);

    /** Every token below {@code size} may come. */
    static Constraint below(int size) {
        return new AnyToken(size);
    }

    /** Whether {@code token} may come next; false for what is no token of the model. */
    boolean accepts(int token);

    /** What holds after {@code token}, which is accepted and doesn't end the reply. */
    Constraint after(int token);

    /** The only token that may come next; −1 where there are several. */
    default int forced() {
        return -1;
    }

    /** The longest token of a text that alone may come next, though in other tokens too; −1 where texts differ. */
    default int likely() {
        return forced();
    }

    /**
     * Where this is in the outer form of a text, between names and values: the same number where models are likely to
     * go on with the same spaces, breaks and punctuation. Negative where that says nothing.
     */
    default long place() {
        return -1;
    }

    /** Whether {@link #mask} changes nothing. */
    default boolean isFree() {
        return false;
    }

    /** Sets the logits of those tokens below {@code count} to −∞ that may not come next. */
    default void mask(Logits logits, int count) {
        for (int token = 0; token < count; token++) {
            if (!accepts(token)) {
                logits.set(token, Float.NEGATIVE_INFINITY);
            }
        }
    }
}
