package uzu.speculate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uzu.ChatReplySpeculatorStats;

/** Counts what drafts of a reply cost and brought. Written by one thread, read by another under the owner's lock. */
public final class SpeculationTally {
    private int passes;
    private int drafted;
    private int accepted;
    private int[] byAccepted = new int[8];
    private long draftingNanos;
    private long verifyingNanos;
    private long samplingNanos;

    /**
     * A pass of decoding: from the token drawn last on, and not over the prompt.
     *
     * @param draftedTokens rows below the root
     * @param acceptedTokens of these, those on the path walked
     */
    public void passed(int draftedTokens, int acceptedTokens, long draftNanos, long passNanos, long walkNanos) {
        draftingNanos += draftNanos;
        passes++;
        drafted += draftedTokens;
        accepted += acceptedTokens;
        if (acceptedTokens >= byAccepted.length) {
            byAccepted = Arrays.copyOf(byAccepted, 2 * acceptedTokens);
        }
        byAccepted[acceptedTokens]++;
        verifyingNanos += passNanos;
        samplingNanos += walkNanos;
    }

    /** Drafters took so long to follow the conversation, a prompt too. */
    public void followed(long nanos) {
        draftingNanos += nanos;
    }

    public ChatReplySpeculatorStats stats() {
        List<Integer> histogram = new ArrayList<>();
        int last = byAccepted.length - 1;
        while (last > 0 && byAccepted[last] == 0) {
            last--;
        }
        for (int i = 0; i <= last; i++) {
            histogram.add(byAccepted[i]);
        }
        return new ChatReplySpeculatorStats(
                passes == 0 ? 0 : (double) (passes + accepted) / passes,
                passes,
                drafted,
                accepted,
                histogram,
                draftingNanos / 1e9,
                verifyingNanos / 1e9,
                samplingNanos / 1e9);
    }
}
