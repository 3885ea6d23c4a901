package uzu.speculate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import uzu.backend.Executable;

/** Drafting for one conversation, from reply to reply. For the one thread that runs the model's passes. */
public final class DraftSession implements AutoCloseable {
    private final Speculator speculator;
    private final List<Speculator.Known> drafters = new ArrayList<>();
    private final List<GuardedProposer> proposers = new ArrayList<>();
    private final PassPrices prices;
    private final Budget budget;
    private final Occurrences occurrences = new Occurrences();
    private Speculation speculation = Speculation.off();
    private Draft draft = new Draft(1, 0);
    private DraftOrder order;
    private long draftingNanos;

    /** Whether any of the drafters takes time. */
    private boolean takesTime;

    private long followingNanos;

    public DraftSession(Speculator speculator) {
        this.speculator = speculator;
        this.prices = new PassPrices(speculator.costs());
        this.budget = new Budget(speculator.guard());
        this.order = new DraftOrder(drafters, proposers, budget, prices, occurrences);
    }

    /**
     * The next drafts are made so. What was learnt of the conversation by drafters that stay is kept; one that failed
     * begins anew.
     */
    public void use(Speculation next) {
        use(next, () -> false);
    }

    /** @param cancelled asked before drafters that take time; once true drafts end as they are */
    public void use(Speculation next, BooleanSupplier cancelled) {
        for (int i = drafters.size() - 1; i >= 0; i--) {
            if (proposers.get(i).hasFailed()
                    || !next.drafters().contains(drafters.get(i).drafter())) {
                drafters.remove(i);
                proposers.remove(i).close();
            }
        }
        arrange(next.drafters());
        takesTime = drafters.stream().anyMatch(Speculator.Known::isCostly);
        if (draft.maxNodes() != next.maxNodes() || !speculation.drafters().equals(next.drafters())) {
            draft = new Draft(next.maxNodes(), next.drafters().size());
        }
        order = new DraftOrder(drafters, proposers, budget, prices, occurrences);
        order.cancelled = cancelled;
        speculation = next;
    }

    /** Brings the drafters into this order, new ones at their places. */
    private void arrange(List<Drafter> wanted) {
        int place = 0;
        for (Drafter drafter : wanted) {
            int at = indexOf(drafter);
            if (at < 0 && join(drafter)) {
                at = drafters.size() - 1;
            }
            if (at >= place) {
                drafters.add(place, drafters.remove(at));
                proposers.add(place++, proposers.remove(at));
            }
        }
    }

    private int indexOf(Drafter drafter) {
        int at = drafters.size() - 1;
        while (at >= 0 && drafters.get(at).drafter() != drafter) {
            at--;
        }
        return at;
    }

    /** False when it failed at once: then nothing is known of it yet, not even whether it takes time. */
    private boolean join(Drafter drafter) {
        GuardedProposer proposer = new GuardedProposer(drafter);
        double seconds = proposer.seconds();
        if (proposer.hasFailed()) {
            return false;
        }
        proposers.add(proposer);
        drafters.add(speculator.known(drafter, seconds));
        return true;
    }

    /** The conversation goes on after its first {@code length} tokens. */
    public void truncate(int length) {
        occurrences.truncate(length);
        for (int i = 0; i < proposers.size(); i++) {
            proposers.get(i).truncate(length);
        }
    }

    /** A reply begins behind the first {@code start} tokens. */
    public void reply(int start) {
        order.reply = speculator.newReply();
        for (int i = 0; i < proposers.size(); i++) {
            proposers.get(i).reply(start);
        }
    }

    /** Rows of the last pass were committed; see {@link Proposer#committed}. */
    public void committed(TokenPath path, int from, int[] rows, Executable target) {
        committed(false, path, from, rows, target);
        followingNanos = 0;
        if (!takesTime) {
            return;
        }
        long begun = speculator.clock().getAsLong();
        committed(true, path, from, rows, target);
        followingNanos = speculator.clock().getAsLong() - begun;
        speculator.guard().lent(followingNanos / 1e9, speculator.costs().seconds(1, 2.0 * from));
    }

    private void committed(boolean isCostly, TokenPath path, int from, int[] rows, Executable target) {
        for (int i = 0; i < proposers.size(); i++) {
            if (drafters.get(i).isCostly() == isCostly) {
                proposers.get(i).committed(path, from, rows, target);
            }
        }
    }

    /** What drafters that take time took of it for the rows committed last. */
    public long followingNanos() {
        return followingNanos;
    }

    /** The tree to verify after {@code path}, where every token may come; good until the next one. */
    public Draft draft(TokenPath path, Conditions conditions, Company company, int maxNodes) {
        return draft(path, conditions, Constraint.NONE, company, maxNodes);
    }

    /**
     * The tree to verify after {@code path}; good until the next one.
     *
     * @param constraint what may come after {@code path}
     */
    public Draft draft(TokenPath path, Conditions conditions, Constraint constraint, Company company, int maxNodes) {
        long begun = speculator.clock().getAsLong();
        order.path = path;
        order.conditions = conditions;
        order.constraint = constraint;
        order.belowPrompt = company.hasPrompt();
        order.maxNodes = Math.min(Math.min(maxNodes, draft.maxNodes()), PassCosts.MOST_ROWS);
        prices.begin(company, order.rootPosition(), order.maxNodes);
        draft.begin(path.get(order.rootPosition()), constraint);
        draftingNanos = 0;
        if (!speculation.isOff() && order.maxNodes > 1 && budget.allows(prices)) {
            try {
                occurrences.follow(path);
                speculator.build(draft, order);
            } catch (RuntimeException | Error e) {
                // Without a draft the reply goes on.
                draft.cut(1);
                GuardedProposer.tell(e);
            }
            draftingNanos = speculator.clock().getAsLong() - begun;
        }
        return draft;
    }

    /** What the last draft took; 0 when there was none to make. */
    public long draftingNanos() {
        return draftingNanos;
    }

    /** The walk drew {@code token} at {@code node} of the last draft. */
    public void drawn(int node, int token) {
        speculator.drawn(draft, order, node, token);
    }

    /** The walk ended; it accepted so many tokens of the last draft. */
    public void walked(int accepted) {
        budget.passed(draft.size(), accepted + 1, draftingNanos / 1e9, prices);
    }

    @Override
    public void close() {
        proposers.forEach(Proposer::close);
        proposers.clear();
        drafters.clear();
    }
}
