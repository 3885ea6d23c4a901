package uzu.app.train;

import java.util.List;
import uzu.generate.GumbelNoise;
import uzu.speculate.Company;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.DraftSession;
import uzu.speculate.Drafter;
import uzu.speculate.PassCosts;
import uzu.speculate.Speculation;
import uzu.speculate.Speculator;
import uzu.speculate.TokenPath;

/**
 * What drafters would have saved of replies that were made without: passes are replayed over the recorded tokens, which
 * are what the walks would have drawn. For drafters that need no results of passes.
 */
final class Replay {
    private final Speculator speculator;
    private final PassCosts costs;
    private final Speculation speculation;
    private long tokens;
    private long passes;
    private long rows;
    private double seconds;
    private long draftingNanos;

    Replay(PassCosts costs, List<Drafter> drafters, int maxNodes) {
        this.costs = costs;
        speculator = new Speculator(costs);
        speculation = new Speculation(drafters, maxNodes);
    }

    /**
     * A recorded reply.
     *
     * @param ids of prompt and reply
     * @param start of the reply
     * @param seed of the noise that it was drawn with
     */
    record Reply(int[] ids, int start, float temperature, long seed) {
        Conditions conditions() {
            return temperature == 0
                    ? Conditions.GREEDY
                    : new Conditions(temperature, (position, token) -> GumbelNoise.of(seed, position, token));
        }
    }

    /** Replays {@code reply} in a conversation of its own. */
    void add(Reply reply) {
        try (DraftSession session = new DraftSession(speculator)) {
            session.use(speculation);
            session.reply(reply.start);
            Conditions conditions = reply.conditions();
            int at = reply.start;
            while (at < reply.ids.length) {
                long begun = System.nanoTime();
                int known = at;
                Draft draft = session.draft(
                        new Beginning(reply.ids, known),
                        conditions,
                        Company.NONE,
                        Math.min(speculation.maxNodes(), reply.ids.length - at));
                draftingNanos += System.nanoTime() - begun;
                rows += draft.size();
                seconds += costs.seconds(draft.size());
                passes++;
                int node = 0;
                int before = at;
                while (node >= 0 && at < reply.ids.length) {
                    session.drawn(node, reply.ids[at]);
                    node = draft.child(node, reply.ids[at++]);
                    tokens++;
                }
                session.walked(at - before - 1);
            }
        }
    }

    double tokensPerPass() {
        return (double) tokens / passes;
    }

    double rowsPerPass() {
        return (double) rows / passes;
    }

    /** Against passes of one row, drafting not counted. */
    double speedUp() {
        return tokens * costs.seconds(1) / seconds;
    }

    double draftingMicros() {
        return draftingNanos / 1e3 / passes;
    }

    private record Beginning(int[] ids, int size) implements TokenPath {
        @Override
        public int get(int index) {
            return ids[index];
        }
    }
}
