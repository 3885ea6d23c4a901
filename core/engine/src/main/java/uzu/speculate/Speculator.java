package uzu.speculate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a model's conversations share when they speculate: what passes cost, what the drafters' words have been worth,
 * and the building of trees. For the one thread that runs the model's passes.
 */
public final class Speculator {
    /** Candidates less likely than this are never worth a row. */
    private static final float LEAST = 0.01f;

    private final PassCosts costs;
    private final LongSupplier clock;
    private final Guard guard = new Guard();
    private final List<Known> known = new ArrayList<>();
    private final Frontier frontier = new Frontier();
    private final Merge merge = new Merge();

    public Speculator(PassCosts costs) {
        this(costs, System::nanoTime);
    }

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    public Speculator(PassCosts costs, LongSupplier clock) {
        this.costs = costs;
        this.clock = clock;
    }

    public PassCosts costs() {
        return costs;
    }

    LongSupplier clock() {
        return clock;
    }

    Guard guard() {
        return guard;
    }

    /** A drafter, and what was learnt about it. */
    record Known(Drafter drafter, Calibration calibration, Worth worth) {
        boolean isCostly() {
            return drafter.seconds() > 0;
        }
    }

    /** What is known of drafters of that name. */
    Known known(Drafter drafter) {
        for (Known one : known) {
            if (one.drafter.name().equals(drafter.name())) {
                return one.drafter == drafter ? one : new Known(drafter, one.calibration, one.worth);
            }
        }
        Known fresh = new Known(drafter, new Calibration(), new Worth(drafter.seconds()));
        known.add(fresh);
        return fresh;
    }

    /**
     * Fills {@code draft} with the tree that makes most tokens a second in the long run, the root alone when nothing
     * does. Drafters that take time are asked when what the others know leaves enough to gain.
     */
    void build(Draft draft, DraftOrder order) {
        for (int i = 0; i < order.asked.length; i++) {
            order.asked[i] = !order.drafters.get(i).isCostly();
        }
        double net = grow(draft, order);
        double pace = order.budget.pace();
        for (int i = 0; i < order.asked.length; i++) {
            Known drafter = order.drafters.get(i);
            if (drafter.isCostly() && drafter.worth().isWorth(net, pace, order.prices)) {
                order.asked[i] = true;
                long begun = clock.getAsLong();
                double with = grow(draft, order);
                double took = (clock.getAsLong() - begun) / 1e9;
                drafter.worth().asked(net, with - net, pace, took, order.prices);
                net = with;
            }
        }
    }

    /** A tree of what the asked drafters propose; the net tokens that it is worth. */
    private double grow(Draft draft, DraftOrder order) {
        for (int i = 0; i < order.asked.length; i++) {
            if (order.asked[i]) {
                order.proposers.get(i).begin(order.path, order.conditions);
            }
        }
        double trust = order.budget.trust();
        double pace = order.budget.pace();
        draft.begin(order.path.get(order.rootPosition()));
        frontier.clear();
        expand(draft, 0, order);
        double gain = 0;
        int best = 1;
        double bestNet = 0;
        while (draft.size() < order.maxNodes && frontier.pop() && frontier.probability() >= LEAST) {
            int node = draft.add(frontier.parent(), frontier.token(), frontier.probability());
            gain += trust * frontier.probability();
            double net = gain - pace * order.prices.ofNodes(draft.size());
            if (net > bestNet) {
                bestNet = net;
                best = draft.size();
            } else if (isHopeless(gain, trust * frontier.probability(), draft.size(), bestNet, order)) {
                break;
            }
            expand(draft, node, order);
        }
        draft.cut(best);
        return bestNet;
    }

    /** Whether not even nodes as likely as the last one could make the tree worth more. */
    private static boolean isHopeless(double gain, double each, int size, double bestNet, DraftOrder order) {
        double pace = order.budget.pace();
        for (int n = size + 1; n <= order.maxNodes; n++) {
            if (gain + each * (n - size) - pace * order.prices.ofNodes(n) > bestNet) {
                return false;
            }
        }
        return true;
    }

    /** Asks the drafters what follows {@code node}. */
    private void expand(Draft draft, int node, DraftOrder order) {
        merge.clear();
        for (int i = 0; i < order.asked.length; i++) {
            if (order.asked[i]) {
                Known drafter = order.drafters.get(i);
                if (drafter.isCostly() && node > 0) {
                    expandDeeper(draft, node, i, order);
                } else {
                    order.proposers.get(i).propose(draft, node, draft.proposals(node, i));
                    merge.add(draft.proposals(node, i), drafter.calibration());
                }
            }
        }
        merge.finish(order.conditions, order.rootPosition() + draft.depth(node) + 1);
        int likeliest = -1;
        float chance = 0;
        for (int i = 0; i < merge.size(); i++) {
            float probability = draft.probability(node) * merge.probability(i);
            if (probability >= LEAST) {
                frontier.push(node, merge.token(i), probability);
            }
            if (merge.probability(i) > chance) {
                likeliest = merge.token(i);
                chance = merge.probability(i);
            }
        }
        draft.expect(node, likeliest, chance);
    }

    private void expandDeeper(Draft draft, int node, int index, DraftOrder order) {
        Known drafter = order.drafters.get(index);
        double reached = order.budget.trust() * draft.probability(node);
        if (drafter.worth().isWorthDeeper(reached, order.budget.pace(), order.prices)) {
            Proposals proposals = draft.proposals(node, index);
            long begun = clock.getAsLong();
            order.proposers.get(index).propose(draft, node, proposals);
            double took = (clock.getAsLong() - begun) / 1e9;
            merge.add(proposals, drafter.calibration());
            float best = proposals.size() == 0 ? 0 : drafter.calibration().of(proposals.probability(0));
            drafter.worth().askedDeeper(best, took);
        }
    }

    /** The walk drew {@code token} at {@code node}. */
    void drawn(Draft draft, DraftOrder order, int node, int token) {
        for (int i = 0; i < order.asked.length; i++) {
            Proposals proposals = draft.proposals(node, i);
            for (int at = 0; at < proposals.size(); at++) {
                order.drafters.get(i).calibration().observe(proposals.probability(at), proposals.token(at) == token);
            }
        }
        if (draft.likeliest(node) >= 0) {
            order.budget.drawn(draft.chance(node), draft.likeliest(node) == token);
        }
    }
}
