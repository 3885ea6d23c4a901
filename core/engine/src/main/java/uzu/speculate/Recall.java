package uzu.speculate;

import java.util.Arrays;
import uzu.backend.Executable;

/**
 * Recalls what the model replied in other conversations after the same last tokens: what it says often it says again. It
 * learns from every reply that it drafts for, as long as the model is loaded, and writes nothing down.
 */
public final class Recall implements Drafter {
    private final Replies replies = new Replies();
    private int conversations;

    @Override
    public String name() {
        return "recall";
    }

    @Override
    public Proposer proposer() {
        return new Reader(replies, conversations++);
    }

    /** A reply is added when the conversation goes on, is changed or ends, with a few tokens before it. */
    private static final class Reader implements Proposer {
        private static final int BEFORE = 8;

        private final Replies replies;
        private final int conversation;
        private final int[] last = new int[Replies.COMPARED];

        /** The conversation from {@link #first} on. */
        private int[] tokens = new int[256];

        private int size;
        private int first;

        /** Where among {@link #tokens} begins what wasn't added yet. */
        private int start;

        Reader(Replies replies, int conversation) {
            this.replies = replies;
            this.conversation = conversation;
        }

        @Override
        public void reply(int start) {
            keep();
            first = Math.max(0, start - BEFORE);
            this.start = start - first;
            size = 0;
        }

        /** What is taken back was said all the same. */
        @Override
        public void truncate(int length) {
            if (length < first + size) {
                keep();
                size = Math.max(0, length - first);
                start = size;
            }
        }

        @Override
        public void committed(TokenPath path, int from, int[] rows, Executable target) {
            follow(path);
        }

        @Override
        public void begin(TokenPath path, Conditions conditions) {
            follow(path);
        }

        private void follow(TokenPath path) {
            truncate(path.size());
            if (tokens.length < path.size() - first) {
                tokens = Arrays.copyOf(tokens, Math.max(path.size() - first, 2 * tokens.length));
            }
            while (first + size < path.size()) {
                tokens[size] = path.get(first + size);
                size++;
            }
        }

        @Override
        public void propose(Draft draft, int node, Proposals into) {
            int have = 0;
            for (int at = node; at > 0 && have < last.length; at = draft.parent(at)) {
                last[last.length - ++have] = draft.token(at);
            }
            for (int at = size; at > 0 && have < last.length; ) {
                last[last.length - ++have] = tokens[--at];
            }
            replies.propose(last, have, conversation, into);
        }

        private void keep() {
            if (size > start) {
                int from = Math.max(0, start - BEFORE);
                replies.add(Arrays.copyOfRange(tokens, from, size), start - from, conversation);
            }
        }

        @Override
        public void close() {
            keep();
            size = 0;
        }
    }
}
