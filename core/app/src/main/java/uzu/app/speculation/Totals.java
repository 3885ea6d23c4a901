package uzu.app.speculation;

import java.util.List;

/** Replies of one variant added up. */
final class Totals {
    private int replies;
    private int equal;
    private long tokens;
    private double seconds;
    private long passes;
    private long drafted;
    private long accepted;
    private double drafting;
    private double verifying;
    private double sampling;
    private long[] byAccepted = new long[16];

    static Totals of(List<ReplyFigures> replies) {
        Totals totals = new Totals();
        replies.forEach(totals::add);
        return totals;
    }

    private void add(ReplyFigures reply) {
        replies++;
        equal += reply.equal() ? 1 : 0;
        tokens += reply.tokens();
        seconds += reply.seconds();
        passes += reply.passes();
        drafted += reply.drafted();
        accepted += reply.accepted();
        drafting += reply.drafting();
        verifying += reply.verifying();
        sampling += reply.sampling();
        List<Integer> histogram = reply.passesByAccepted();
        if (histogram.size() > byAccepted.length) {
            byAccepted = java.util.Arrays.copyOf(byAccepted, histogram.size());
        }
        for (int depth = 0; depth < histogram.size(); depth++) {
            byAccepted[depth] += histogram.get(depth);
        }
    }

    int replies() {
        return replies;
    }

    int equal() {
        return equal;
    }

    /** Tokens a second over all replies. */
    double rate() {
        return tokens / seconds;
    }

    boolean speculates() {
        return drafted > 0;
    }

    double tokensPerPass() {
        return (double) tokens / passes;
    }

    double acceptance() {
        return (double) accepted / drafted;
    }

    /** Of the time of decoding. */
    double draftingShare() {
        return drafting / seconds;
    }

    double verifyingShare() {
        return verifying / seconds;
    }

    double samplingShare() {
        return sampling / seconds;
    }

    /** Whether it is known how many tokens single passes accepted. */
    boolean knowsDepths() {
        return byAccepted[0] > 0 || deepest() > 0;
    }

    int deepest() {
        int depth = byAccepted.length - 1;
        while (depth > 0 && byAccepted[depth] == 0) {
            depth--;
        }
        return depth;
    }

    /** The share of passes that accepted at least {@code depth} drafted tokens. */
    double reaching(int depth) {
        long all = 0;
        long deep = 0;
        for (int i = 0; i < byAccepted.length; i++) {
            all += byAccepted[i];
            deep += i >= depth ? byAccepted[i] : 0;
        }
        return (double) deep / all;
    }
}
