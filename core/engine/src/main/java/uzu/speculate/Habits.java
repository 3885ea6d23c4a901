package uzu.speculate;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a model lays out what a grammar leaves open: the spaces, line breaks and punctuation between names and values. A
 * {@link Constraint#place} is remembered with the tokens drawn there, of the reply and of all the model's replies.
 */
final class Habits {
    /** All is forgotten when it takes more. */
    private static final int MOST = 4096;

    private final Map<Long, Seen> places = new HashMap<>();
    private final Calibration early = new Calibration();
    private final Calibration settled = new Calibration();

    /** Tokens drawn at a place, with weights that fade. */
    private static final class Seen {
        private static final int MOST_TOKENS = 3;
        private static final float KEPT = 0.6f;

        /** What counts for tokens never seen here. */
        private static final float OTHERS = 0.25f;

        private final int[] tokens = {-1, -1, -1};
        private final float[] weights = new float[MOST_TOKENS];

        /** Of the last reply that came by. */
        private long reply = -1;

        void drawn(int token, long inReply) {
            reply = inReply;
            int at = 0;
            for (int i = 0; i < MOST_TOKENS; i++) {
                weights[i] *= KEPT;
                at = tokens[at] != token && (tokens[i] == token || weights[i] < weights[at]) ? i : at;
            }
            weights[at] = (tokens[at] == token ? weights[at] : 0) + 1;
            tokens[at] = token;
        }

        float chance(int index) {
            float sum = OTHERS;
            for (float weight : weights) {
                sum += weight;
            }
            return weights[index] / sum;
        }
    }

    /** Adds what is known of what comes next. */
    void propose(Constraint constraint, long reply, Merge merge) {
        Seen seen = seen(constraint);
        if (seen != null) {
            Calibration calibration = seen.reply == reply ? settled : early;
            for (int i = 0; i < Seen.MOST_TOKENS; i++) {
                if (seen.tokens[i] >= 0 && constraint.accepts(seen.tokens[i])) {
                    merge.add(seen.tokens[i], calibration.of(seen.chance(i)));
                }
            }
        }
    }

    private @Nullable Seen seen(Constraint constraint) {
        long place = constraint.place();
        return place < 0 ? null : places.get(place);
    }

    /** {@code token} was drawn where {@code constraint} held. */
    void drawn(Constraint constraint, int token, long reply) {
        long place = constraint.place();
        if (place < 0) {
            return;
        }
        Seen seen = places.get(place);
        if (seen == null) {
            if (places.size() >= MOST) {
                places.clear();
            }
            seen = new Seen();
            places.put(place, seen);
        } else {
            Calibration calibration = seen.reply == reply ? settled : early;
            for (int i = 0; i < Seen.MOST_TOKENS; i++) {
                if (seen.tokens[i] >= 0) {
                    calibration.observe(seen.chance(i), seen.tokens[i] == token);
                }
            }
        }
        seen.drawn(token, reply);
    }
}
