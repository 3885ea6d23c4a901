package uzu.app.train;

/**
 * The pieces of a chat template around what is written, as token ids.
 *
 * @param openings what comes before a first user turn, one of several system messages each
 * @param toAnswer between a user turn and the answer
 * @param toUser between an answer's end token and the next user turn
 * @param ends tokens that end a turn
 */
record Turns(int[][] openings, int[] toAnswer, int[] toUser, int[] ends) {
    boolean isEnd(int token) {
        for (int end : ends) {
            if (token == end) {
                return true;
            }
        }
        return false;
    }
}
