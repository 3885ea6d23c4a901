package uzu.speculate;

import java.util.Arrays;

/** Prompt lookup: what followed when the conversation's last tokens stood there before, the longest match first. */
public final class Lookup implements Drafter {
    @Override
    public String name() {
        return "lookup";
    }

    @Override
    public Proposer proposer() {
        return new Index();
    }

    /**
     * For each n, where each n-gram stood last, by hash; and for each place, where its n-gram stood before. Chains are
     * followed from the latest place backwards, so the most recent continuation comes first.
     */
    private static final class Index implements Proposer {
        private static final int LONGEST = 8;
        // Up to this the lengths of longer matches are told apart.
        private static final int COMPARED = 32;
        private static final int FOLLOWED = 24;

        private int[] tokens = new int[256];
        private int indexed;
        private final int[][] heads = new int[LONGEST + 1][];
        private final int[][] before = new int[LONGEST + 1][];
        private final int[] tail = new int[COMPARED];

        private final Followers followers = new Followers();

        /** The latest match. */
        private int latest;

        Index() {
            for (int n = 1; n <= LONGEST; n++) {
                heads[n] = new int[1024];
                Arrays.fill(heads[n], -1);
                before[n] = new int[256];
            }
        }

        @Override
        public void truncate(int length) {
            while (indexed > length) {
                indexed--;
                for (int n = 1; n <= LONGEST && n <= indexed; n++) {
                    int slot = slot(tokens, indexed - 1, n);
                    heads[n][slot] = before[n][indexed];
                }
            }
        }

        @Override
        public void begin(TokenPath path, Conditions conditions) {
            truncate(path.size());
            reserve(path.size());
            while (indexed < path.size()) {
                // The n-grams that end before this place are now known to be followed by something.
                for (int n = 1; n <= LONGEST && n <= indexed; n++) {
                    int slot = slot(tokens, indexed - 1, n);
                    before[n][indexed] = heads[n][slot];
                    heads[n][slot] = indexed;
                }
                tokens[indexed] = path.get(indexed);
                indexed++;
            }
        }

        @Override
        public void propose(Draft draft, int node, Proposals into) {
            int have = tail(draft, node);
            int longest = 0;
            for (int n = Math.min(LONGEST, have); n >= 1 && into.size() < Proposals.MOST; n--) {
                follow(n, have);
                boolean first = longest == 0 && followers.seen() > 0;
                if (first) {
                    longest = n < LONGEST ? n : length(have);
                }
                for (int i = 0; i < followers.size(); i++) {
                    float chance = first
                            ? LookupChances.longest(longest, i, followers.count(i), followers.seen())
                            : LookupChances.shorter(n, i);
                    into.add(followers.token(i), chance);
                }
            }
        }

        /** The length of the latest match. */
        private int length(int have) {
            int length = LONGEST;
            while (length < have && length < latest && tokens[latest - length - 1] == tail[have - length - 1]) {
                length++;
            }
            return length;
        }

        /** Counts what followed the last matches of {@code n} tokens, the most recent follower first. */
        private void follow(int n, int have) {
            followers.clear();
            int place = heads[n][slot(tail, have - 1, n)];
            for (int i = 0; i < FOLLOWED && place >= 0; i++) {
                if (matches(place, n, have)) {
                    latest = followers.seen() == 0 ? place : latest;
                    followers.add(tokens[place]);
                }
                place = before[n][place];
            }
        }

        /** The last tokens up to the node, at the end of {@link #tail}'s first so many. */
        private int tail(Draft draft, int node) {
            int have = Math.min(COMPARED, indexed + draft.depth(node));
            int at = have;
            int current = node;
            while (at > 0 && current > 0) {
                tail[--at] = draft.token(current);
                current = draft.parent(current);
            }
            int rest = indexed;
            while (at > 0) {
                tail[--at] = tokens[--rest];
            }
            return have;
        }

        private boolean matches(int place, int n, int have) {
            return place >= n && Arrays.equals(tokens, place - n, place, tail, have - n, have);
        }

        private int slot(int[] from, int last, int n) {
            int hash = n;
            for (int i = last - n + 1; i <= last; i++) {
                hash = (hash ^ from[i]) * 0x9E3779B1;
                hash ^= hash >>> 15;
            }
            return hash & heads[n].length - 1;
        }

        private void reserve(int length) {
            if (length <= tokens.length) {
                return;
            }
            int room = Integer.highestOneBit(2 * length - 1);
            tokens = Arrays.copyOf(tokens, room);
            int known = indexed;
            for (int n = 1; n <= LONGEST; n++) {
                before[n] = new int[room];
                heads[n] = new int[4 * room];
                Arrays.fill(heads[n], -1);
                for (int place = n; place < known; place++) {
                    int slot = slot(tokens, place - 1, n);
                    before[n][place] = heads[n][slot];
                    heads[n][slot] = place;
                }
            }
        }
    }
}
