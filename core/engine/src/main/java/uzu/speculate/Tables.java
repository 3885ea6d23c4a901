package uzu.speculate;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Proposes what n-gram tables know of the model: each context's word mixed with that of the next shorter one. */
public final class Tables implements Drafter {
    private final Supplier<@Nullable NgramTables> source;

    /** @param source null as long as the tables aren't there yet */
    public Tables(Supplier<@Nullable NgramTables> source) {
        this.source = source;
    }

    @Override
    public String name() {
        return "tables";
    }

    @Override
    public Proposer proposer() {
        return new Reader();
    }

    private final class Reader implements Proposer {
        /** Less likely tokens aren't proposed. */
        private static final float LEAST = 0.01f;

        private static final int ROOM = NgramTables.MOST_ORDERS * NgramTables.MOST_SUCCESSORS;

        private final int[] last = new int[NgramTables.MOST_ORDERS];
        private final NgramTables.Successors successors = new NgramTables.Successors();
        private final int[] tokens = new int[ROOM];
        private final float[] probabilities = new float[ROOM];
        private int size;
        private int have;
        private @Nullable NgramTables tables;

        @Override
        public void truncate(int length) {}

        @Override
        public void begin(TokenPath path, Conditions conditions) {
            tables = source.get();
            have = Math.min(path.size(), last.length);
            for (int i = 0; i < have; i++) {
                last[i] = path.get(path.size() - 1 - i);
            }
        }

        @Override
        public void propose(Draft draft, int node, Proposals into) {
            NgramTables known = tables;
            if (known == null) {
                return;
            }
            size = 0;
            long hash = 0;
            int current = node;
            int back = 0;
            for (int length = 1; length <= known.longest(); length++) {
                if (current > 0) {
                    hash = NgramTables.extend(hash, draft.token(current));
                    current = draft.parent(current);
                } else if (back < have) {
                    hash = NgramTables.extend(hash, last[back++]);
                } else {
                    break;
                }
                if (known.find(length, hash, successors)) {
                    mix(known.strength(length));
                }
            }
            best(into);
        }

        /** p ← (count · p(successor) + strength · p) / (count + strength). */
        private void mix(float strength) {
            float count = successors.count;
            float kept = strength / (count + strength);
            float added = count / (count + strength);
            for (int i = 0; i < size; i++) {
                probabilities[i] *= kept;
            }
            for (int i = 0; i < successors.size; i++) {
                int at = place(successors.tokens[i]);
                probabilities[at] += added * successors.probabilities[i];
            }
        }

        private int place(int token) {
            for (int i = 0; i < size; i++) {
                if (tokens[i] == token) {
                    return i;
                }
            }
            tokens[size] = token;
            probabilities[size] = 0;
            return size++;
        }

        private void best(Proposals into) {
            while (into.size() < Proposals.MOST) {
                int best = -1;
                float most = LEAST;
                for (int i = 0; i < size; i++) {
                    if (probabilities[i] > most) {
                        most = probabilities[i];
                        best = i;
                    }
                }
                if (best < 0) {
                    return;
                }
                into.add(tokens[best], most);
                probabilities[best] = 0;
            }
        }
    }
}
