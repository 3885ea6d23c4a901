package uzu.speculate;

import java.util.Arrays;
import java.util.List;

/** Proposes the answers that are expected, from a reply's beginning on, for as long as it keeps to one of them. */
public final class FixedValues implements Drafter {
    /** Answers are expected, not certain. */
    private static final float TRUST = 0.95f;

    /** Sorted, so that those with a common beginning stand together. */
    private final int[][] answers;

    /** @param answers the tokens of each, with what ends a reply */
    public FixedValues(List<int[]> answers) {
        this.answers = answers.stream()
                .filter(answer -> answer.length > 0)
                .map(int[]::clone)
                .sorted(Arrays::compare)
                .toArray(int[][]::new);
    }

    @Override
    public String name() {
        return "values";
    }

    @Override
    public Proposer proposer() {
        return new Walk();
    }

    private final class Walk implements Proposer {
        private int start;
        private int[] said = new int[16];
        private int known;

        /** Answers that begin as the path does: {@code from} to {@code to}. */
        private int from;

        private int to;

        private final int[] heads = new int[Proposals.MOST];
        private final int[] counts = new int[Proposals.MOST];
        private int size;

        @Override
        public void truncate(int length) {}

        @Override
        public void reply(int start) {
            this.start = start;
        }

        @Override
        public void begin(TokenPath path, Conditions conditions) {
            known = Math.max(0, path.size() - start);
            from = 0;
            to = answers.length;
            for (int depth = 0; depth < known && from < to; depth++) {
                narrow(depth, path.get(start + depth));
            }
        }

        /** Keeps those of the answers that have {@code token} at {@code depth}. */
        private void narrow(int depth, int token) {
            while (from < to && before(from, depth, token)) {
                from++;
            }
            int end = from;
            while (end < to && at(end, depth) == token) {
                end++;
            }
            to = end;
        }

        private boolean before(int answer, int depth, int token) {
            return answers[answer].length <= depth || answers[answer][depth] < token;
        }

        private int at(int answer, int depth) {
            return answers[answer].length <= depth ? -1 : answers[answer][depth];
        }

        @Override
        public void propose(Draft draft, int node, Proposals into) {
            int first = from;
            int last = to;
            int depth = draft.depth(node);
            if (said.length < depth) {
                said = Arrays.copyOf(said, 2 * depth);
            }
            for (int current = node, i = depth; i > 0; current = draft.parent(current)) {
                said[--i] = draft.token(current);
            }
            for (int i = 0; i < depth && from < to; i++) {
                narrow(known + i, said[i]);
            }
            propose(known + depth, into);
            from = first;
            to = last;
        }

        /** The tokens that follow in most answers; each answer counts as much. */
        private void propose(int depth, Proposals into) {
            size = 0;
            for (int answer = from; answer < to; ) {
                int token = at(answer, depth);
                int end = answer + 1;
                while (end < to && at(end, depth) == token) {
                    end++;
                }
                if (token >= 0) {
                    keep(answer, end - answer);
                }
                answer = end;
            }
            for (int i = 0; i < size; i++) {
                into.add(at(heads[i], depth), TRUST * counts[i] / (to - from));
            }
        }

        /** By insertion into the few that can be proposed, the most frequent first. */
        private void keep(int answer, int count) {
            if (size == heads.length && counts[size - 1] >= count) {
                return;
            }
            int at = size < heads.length ? size++ : size - 1;
            while (at > 0 && counts[at - 1] < count) {
                heads[at] = heads[at - 1];
                counts[at] = counts[at - 1];
                at--;
            }
            heads[at] = answer;
            counts[at] = count;
        }
    }
}
