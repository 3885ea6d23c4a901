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

    /** How often a model takes the longest token of a text that a grammar leaves no choice of. */
    private static final float LIKELY = 0.95f;

    /** How far a text that is easy to draft is so in the next pass too: of 0.4 to 1, all give the same in replays. */
    private static final double PERSISTENCE = 0.5;

    private final PassCosts costs;
    private final LongSupplier clock;
    private final Guard guard = new Guard();
    private final List<Known> known = new ArrayList<>();
    private final Frontier frontier = new Frontier();
    private final Merge merge = new Merge();
    private final Mixture mixture = new Mixture();
    private final Lottery lottery = new Lottery();
    private final Habits habits = new Habits();
    private final int[] endTokens;

    /** Of the tree being made, as {@link #LEAST}. */
    private float least;

    /** Whether drafters were asked what follows its root: a grammar may leave nothing to ask. */
    private boolean asksAtRoot;

    /** Tokens that the tree's first so many nodes are expected to bring. */
    private final double[] gains = new double[PassCosts.MOST_ROWS + 1];

    private long replies;

    public Speculator(PassCosts costs) {
        this(costs, System::nanoTime);
    }

    /**
     * @param clock nanoseconds, as {@link System#nanoTime}
     * @param endTokens tokens that end a reply
     */
    public Speculator(PassCosts costs, LongSupplier clock, int... endTokens) {
        this.costs = costs;
        this.clock = clock;
        this.endTokens = endTokens;
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

    /** A number for another reply. */
    long newReply() {
        return replies++;
    }

    /** A drafter, and what was learnt about it. */
    record Known(Drafter drafter, boolean isCostly, Calibration calibration, Worth worth) {}

    /**
     * What is known of drafters of that name.
     *
     * @param seconds that it says it takes
     */
    Known known(Drafter drafter, double seconds) {
        for (Known one : known) {
            if (one.drafter.name().equals(drafter.name())) {
                return one.drafter == drafter ? one : new Known(drafter, seconds > 0, one.calibration, one.worth);
            }
        }
        Known fresh = new Known(drafter, seconds > 0, new Calibration(), new Worth(seconds));
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
        long started = clock.getAsLong();
        double net = grow(draft, order);
        double cheapSeconds = (clock.getAsLong() - started) / 1e9;
        double pace = order.budget.pace();
        for (int i = 0; i < order.asked.length; i++) {
            Known drafter = order.drafters.get(i);
            if (!drafter.isCostly() || order.belowPrompt || order.cancelled.getAsBoolean()) {
                continue;
            }
            if (order.proposers.get(i).hasFailed()) {
                continue;
            }
            // By lots: which tree is taken must not depend on what was drawn for it.
            double others = order.conditions.drawsLots() ? order.budget.net() : net;
            boolean asks = drafter.worth().isWorth(others, pace, order.prices);
            drafter.drafter().expect(drafter.worth().earnsPreparation() && !guard.owesMuch(order.prices));
            if (asks && !order.silences[i].lasts()) {
                order.asked[i] = true;
                long begun = clock.getAsLong();
                double with = grow(draft, order);
                double took = (clock.getAsLong() - begun) / 1e9;
                if (draft.proposals(0, i).size() > 0) {
                    drafter.worth().asked(others, with - net, pace, took, order.prices);
                    order.silences[i].ends();
                } else if (asksAtRoot) {
                    drafter.worth().askedInVain(others, took);
                    order.silences[i].goesOn();
                }
                net = with;
            }
        }
        order.budget.drafted(net, cheapSeconds);
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
        draft.begin(order.path.get(order.rootPosition()), order.constraint);
        least = (float) Math.max(LEAST, pace * order.prices.cheapest() / trust);
        frontier.clear();
        asksAtRoot = false;
        expand(draft, 0, order);
        double gain = 0;
        double mostNet = 0;
        while (draft.size() < order.maxNodes && frontier.pop() && frontier.probability() >= LEAST) {
            int size = draft.size() + 1;
            gain += trust * frontier.probability();
            double net = gain - pace * order.prices.ofNodes(size);
            if (net <= mostNet && isHopeless(gain, trust * frontier.probability(), size, mostNet, order)) {
                break;
            }
            gains[size] = gain;
            mostNet = Math.max(mostNet, net);
            int node = draft.add(frontier.parent(), token(draft), frontier.probability());
            if (!isEnd(draft.token(node))) {
                expand(draft, node, order);
            }
        }
        int best = bestSize(draft.size(), pace, order.prices);
        // A token that was drawn stays: leaving it out for what came of it would make its chance another one.
        draft.cut(order.conditions.drawsLots() ? draft.size() : best);
        return best == 1 ? 0 : gains[best] - pace * order.prices.ofNodes(best);
    }

    /**
     * How many nodes to keep. Time yields the pace on the whole, but more where the text is easy: what a pass leaves out
     * of it isn't lost, for the next one takes it. There the rows that count are those of the best quotient.
     */
    private int bestSize(int grown, double pace, PassPrices prices) {
        double here = pace;
        for (int size = 2; size <= grown; size++) {
            here = Math.max(here, (prices.ofPass() + gains[size]) / (prices.ofPass() + prices.ofNodes(size)));
        }
        double yield = pace + PERSISTENCE * (here - pace);
        int best = 1;
        double bestNet = 0;
        for (int size = 2; size <= grown; size++) {
            double net = gains[size] - yield * prices.ofNodes(size);
            if (net > bestNet) {
                bestNet = net;
                best = size;
            }
        }
        return best;
    }

    private int token(Draft draft) {
        int parent = frontier.parent();
        Chances chances = draft.chances(parent);
        return chances == null ? frontier.token() : chances.token(draft.children(parent));
    }

    private boolean isEnd(int token) {
        for (int end : endTokens) {
            if (end == token) {
                return true;
            }
        }
        return false;
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
        Constraint constraint = draft.constrain(node);
        int forced = constraint.forced();
        if (forced >= 0) {
            if (!isEnd(forced)) {
                frontier.push(node, forced, draft.probability(node));
            }
            return;
        }
        int likely = order.conditions.drawsLots() ? -1 : constraint.likely();
        if (likely >= 0 && !isEnd(likely)) {
            frontier.push(node, likely, LIKELY * draft.probability(node));
            draft.expect(node, likely, LIKELY);
            return;
        }
        asksAtRoot |= node == 0;
        merge.clear();
        if (!order.conditions.drawsLots()) {
            habits.propose(constraint, order.reply, merge);
        }
        for (int i = 0; i < order.asked.length; i++) {
            if (order.asked[i]) {
                if (order.drafters.get(i).isCostly() && node > 0) {
                    expandDeeper(draft, node, i, order);
                } else {
                    order.proposers.get(i).propose(draft, node, draft.proposals(node, i));
                }
            }
        }
        if (order.isMixed(draft, node)) {
            gather(draft, node, order);
            merge.add(mixture, order.occurrences);
        } else {
            for (int i = 0; i < order.asked.length; i++) {
                merge.add(draft.proposals(node, i), order.drafters.get(i).calibration(), constraint);
            }
        }
        merge.finish(order.conditions, order.rootPosition() + draft.depth(node) + 1);
        boolean drawsLots = order.conditions.drawsLots();
        if (drawsLots) {
            lottery.draw(draft, node, merge, order.conditions.requireLots(), order.rootPosition(), frontier);
        }
        int likeliest = -1;
        float chance = 0;
        for (int i = 0; i < merge.size(); i++) {
            float probability = draft.probability(node) * merge.probability(i);
            // A token that ends the reply needs no row: nothing is drawn after it.
            if (!drawsLots && probability >= least && !isEnd(merge.token(i))) {
                frontier.push(node, merge.token(i), probability);
            }
            if (merge.probability(i) > chance) {
                likeliest = merge.token(i);
                chance = merge.probability(i);
            }
        }
        draft.expect(node, likeliest, chance);
    }

    private void gather(Draft draft, int node, DraftOrder order) {
        mixture.begin();
        for (int source = 0; source < Mixture.SOURCES.size(); source++) {
            int index = order.ofSource(source);
            if (index >= 0 && order.asked[index]) {
                Calibration calibration = order.drafters.get(index).calibration();
                mixture.add(source, draft.proposals(node, index), calibration, draft.constraint(node));
            }
        }
    }

    private void expandDeeper(Draft draft, int node, int index, DraftOrder order) {
        if (order.cancelled.getAsBoolean()) {
            return;
        }
        Known drafter = order.drafters.get(index);
        double reached = order.budget.trust() * draft.probability(node);
        int size = draft.size();
        double row = size < order.maxNodes ? order.prices.ofNodes(size + 1) - order.prices.ofNodes(size) : 1;
        if (drafter.worth().isWorthDeeper(reached, row, order.budget.pace(), order.prices)) {
            Proposals proposals = draft.proposals(node, index);
            long begun = clock.getAsLong();
            order.proposers.get(index).propose(draft, node, proposals);
            double took = (clock.getAsLong() - begun) / 1e9;
            float best = proposals.size() == 0 ? 0 : drafter.calibration().of(proposals.probability(0));
            drafter.worth().askedDeeper(best, took);
        }
    }

    /** The walk drew {@code token} at {@code node}. */
    void drawn(Draft draft, DraftOrder order, int node, int token) {
        lottery.observe(draft, node, token);
        habits.drawn(draft.constraint(node), token, order.reply);
        if (order.isMixed(draft, node)) {
            gather(draft, node, order);
            mixture.drawn(token, order.occurrences);
        }
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
