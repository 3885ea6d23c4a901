package uzu.speculate;

import java.util.ArrayList;
import java.util.List;

/**
 * What a model's conversations share when they speculate: what passes cost, what the drafters' words have been worth,
 * and the building of trees. For the one thread that runs the model's passes.
 */
public final class Speculator {
    /** Candidates less likely than this are never worth a row. */
    private static final float LEAST = 0.01f;

    private final PassCosts costs;
    private final List<Known> known = new ArrayList<>();
    private final Frontier frontier = new Frontier();
    private final Merge merge = new Merge();

    public Speculator(PassCosts costs) {
        this.costs = costs;
    }

    public PassCosts costs() {
        return costs;
    }

    /** A drafter, and what was learnt about it. */
    record Known(Drafter drafter, Calibration calibration, Worth worth) {}

    Known known(Drafter drafter) {
        for (Known one : known) {
            if (one.drafter == drafter) {
                return one;
            }
        }
        Known fresh = new Known(drafter, new Calibration(), new Worth());
        known.add(fresh);
        return fresh;
    }

    /**
     * Fills {@code draft} with the tree that makes most tokens a second of the pass, the root alone when nothing does.
     *
     * @param rootPosition of the root's token
     * @param company rows and tokens of other replies in the same pass
     */
    void build(
            Draft draft,
            List<Known> drafters,
            List<Proposer> proposers,
            int rootPosition,
            Conditions conditions,
            Company company,
            int maxNodes) {
        frontier.clear();
        double spent = expand(draft, 0, drafters, proposers, rootPosition, conditions, company);
        int most = Math.min(Math.min(maxNodes, draft.maxNodes()), PassCosts.MOST_ROWS - company.rows());
        double tokens = company.tokens() + 1;
        int best = 1;
        double bestRate = tokens / (costs.seconds(company.rows() + 1) + spent);
        while (draft.size() < most && frontier.pop() && frontier.probability() >= LEAST) {
            int node = draft.add(frontier.parent(), frontier.token(), frontier.probability());
            tokens += frontier.probability();
            double rate = tokens / (costs.seconds(company.rows() + draft.size()) + spent);
            if (rate > bestRate) {
                bestRate = rate;
                best = draft.size();
            } else if (hopeless(tokens, draft.size(), most, company, spent, bestRate)) {
                break;
            }
            spent += expand(draft, node, drafters, proposers, rootPosition, conditions, company);
        }
        draft.cut(best);
    }

    /** Whether not even nodes as likely as the last one could lift the rate above the best. */
    private boolean hopeless(double tokens, int size, int most, Company company, double spent, double bestRate) {
        double each = frontier.probability();
        for (int n = size + 1; n <= most; n++) {
            if ((tokens + each * (n - size)) / (costs.seconds(company.rows() + n) + spent) > bestRate) {
                return false;
            }
        }
        return true;
    }

    /** Asks the drafters what follows {@code node}; the seconds that this takes, about. */
    private double expand(
            Draft draft,
            int node,
            List<Known> drafters,
            List<Proposer> proposers,
            int rootPosition,
            Conditions conditions,
            Company company) {
        merge.clear();
        double spent = 0;
        for (int i = 0; i < drafters.size(); i++) {
            Known drafter = drafters.get(i);
            Proposals proposals = draft.proposals(node, i);
            double seconds = drafter.drafter().seconds();
            if (seconds > 0 && !drafter.worth().isWorth(seconds, draft.probability(node), costs, company)) {
                continue;
            }
            proposers.get(i).propose(draft, node, proposals);
            spent += seconds;
            float before = merge.best();
            merge.add(proposals, drafter.calibration());
            drafter.worth().asked(merge.best() - before);
        }
        merge.finish(conditions, rootPosition + draft.depth(node) + 1);
        for (int i = 0; i < merge.size(); i++) {
            float probability = draft.probability(node) * merge.probability(i);
            if (probability >= LEAST) {
                frontier.push(node, merge.token(i), probability);
            }
        }
        return spent;
    }

    /** The walk drew {@code token} at {@code node}. */
    void drawn(Draft draft, List<Known> drafters, int node, int token) {
        for (int i = 0; i < drafters.size(); i++) {
            Proposals proposals = draft.proposals(node, i);
            for (int at = 0; at < proposals.size(); at++) {
                drafters.get(i).calibration().observe(proposals.probability(at), proposals.token(at) == token);
            }
        }
    }
}
