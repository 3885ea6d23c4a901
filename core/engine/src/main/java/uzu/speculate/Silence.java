package uzu.speculate;

/**
 * For how many passes a drafter that takes time is left alone in a reply because it had nothing to say: one that was
 * silent once is asked in the next pass again, as it may only begin to know the conversation.
 */
final class Silence {
    private static final int MOST = 64;

    private int left;
    private int next;

    /** Whether to leave it alone in a pass for which it would be asked. */
    boolean lasts() {
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }

    /** It was asked in vain. */
    void goesOn() {
        left = next;
        next = Math.clamp(2 * next, 1, MOST);
    }

    /** It said something. */
    void ends() {
        next = 0;
    }
}
