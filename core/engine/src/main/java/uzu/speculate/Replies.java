package uzu.speculate;

import java.util.Arrays;

/**
 * What a model replied lately: a ring of tokens, the oldest of which are forgotten, with an index of its n-grams. It takes
 * 2 MB once something was added.
 */
final class Replies {
    /** Up to this lengths of matches are told apart. */
    static final int COMPARED = 16;

    private static final int ROOM = 1 << 16;

    /** The n of the n-grams. More of them gain nothing. */
    private static final int[] LENGTHS = {2, 3, 6};

    private static final int FOLLOWED = 24;
    private static final int VISITED = 64;

    /** Another conversation's words follow that often, against the same conversation's. */
    private static final float ELSEWHERE = 0.8f;

    private static final int GAP = -1;

    private int[] tokens = {};
    private int[] owners = {};

    /** For each length, by hash, the last place after such an n-gram; and for each place the one before it. */
    private int[][] heads = {};

    private int[][] before = {};

    /** Places are counted on and on; what is at one lies at its remainder by the room. */
    private int next;

    private final Followers followers = new Followers();

    /** The latest match. */
    private int latest;

    /**
     * @param reply the last words before it, too
     * @param start where it begins
     * @param owner the conversation
     */
    void add(int[] reply, int start, int owner) {
        if (tokens.length == 0 || next > Integer.MAX_VALUE - 2 * ROOM) {
            begin();
        }
        int from = Math.max(0, reply.length - ROOM / 2);
        for (int at = from; at < reply.length; at++) {
            for (int n = 0; n < LENGTHS.length && at >= start && LENGTHS[n] <= at - from; n++) {
                int slot = slot(reply, at, LENGTHS[n]);
                before[n][next % ROOM] = heads[n][slot];
                heads[n][slot] = next;
            }
            put(reply[at], owner);
        }
        put(GAP, owner);
    }

    private void begin() {
        owners = new int[ROOM];
        before = new int[LENGTHS.length][ROOM];
        heads = new int[LENGTHS.length][ROOM];
        for (int[] head : heads) {
            Arrays.fill(head, -1);
        }
        int[] ring = new int[ROOM];
        Arrays.fill(ring, GAP);
        next = 0;
        // At last: where memory doesn't suffice, nothing has begun.
        tokens = ring;
    }

    private void put(int token, int owner) {
        tokens[next % ROOM] = token;
        owners[next % ROOM] = owner;
        next++;
    }

    /**
     * Adds what followed the longest match of the last tokens, then what followed shorter ones.
     *
     * @param last tokens up to now, at the array's end
     * @param have how many those are
     * @param owner whose own replies don't count
     */
    void propose(int[] last, int have, int owner, Proposals into) {
        boolean isLongest = true;
        for (int n = LENGTHS.length - 1; n >= 0 && next > 0 && into.size() < Proposals.MOST; n--) {
            if (LENGTHS[n] > have) {
                continue;
            }
            follow(n, last, owner);
            int length = isLongest && followers.seen() > 0 ? length(latest, last, have) : 0;
            for (int i = 0; i < followers.size(); i++) {
                float chance = isLongest
                        ? LookupChances.longest(length, i, followers.count(i), followers.seen())
                        : LookupChances.shorter(LENGTHS[n], i);
                into.add(followers.token(i), ELSEWHERE * chance);
            }
            isLongest &= followers.seen() == 0;
        }
    }

    /** Counts what followed the last matches, the most recent one first. */
    private void follow(int n, int[] last, int owner) {
        int length = LENGTHS[n];
        followers.clear();
        int place = heads[n][slot(last, last.length, length)];
        int visits = VISITED;
        while (visits-- > 0 && followers.seen() < FOLLOWED && place >= length && place - length > next - ROOM) {
            if (owners[place % ROOM] != owner && length(place, last, length) == length) {
                latest = followers.seen() == 0 ? place : latest;
                followers.add(tokens[place % ROOM]);
            }
            place = before[n][place % ROOM];
        }
    }

    /**
     * So many tokens before {@code place}, at most {@code most}, are the last ones. What is newest is a gap, so that no
     * match reads on into it.
     */
    private int length(int place, int[] last, int most) {
        int length = 0;
        while (length < most
                && place - length > 0
                && tokens[(place - length - 1) % ROOM] == last[last.length - length - 1]) {
            length++;
        }
        return length;
    }

    /** Of the {@code length} tokens before {@code end}. */
    private static int slot(int[] from, int end, int length) {
        int hash = length;
        for (int i = end - length; i < end; i++) {
            hash = (hash ^ from[i]) * 0x9E3779B1;
            hash ^= hash >>> 15;
        }
        return hash & ROOM - 1;
    }
}
