package uzu.app.speculation;

import java.util.List;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatReplyStats;

/**
 * How a reply was decoded, from its first token, which comes with the prompt's pass, to its last.
 *
 * @param tokens after the first
 * @param passes that drew them
 * @param drafted tokens that were verified
 * @param accepted of these
 * @param passesByAccepted how many passes accepted 0, 1, 2, … tokens; empty when not known
 * @param drafting seconds, like the next two
 * @param equal whether the text and the number of tokens are those of plain decoding; true where that isn't compared
 */
record ReplyFigures(
        int tokens,
        double seconds,
        int passes,
        int drafted,
        int accepted,
        List<Integer> passesByAccepted,
        double drafting,
        double verifying,
        double sampling,
        boolean equal) {
    ReplyFigures {
        passesByAccepted = List.copyOf(passesByAccepted);
    }

    /** A reply of which only the speed is known. */
    static ReplyFigures of(int tokens, double seconds) {
        return new ReplyFigures(tokens, seconds, tokens, 0, 0, List.of(), 0, 0, 0, true);
    }

    static ReplyFigures of(ChatReplyStats stats, boolean equal) {
        Integer output = stats.tokensCountOutput();
        Double rate = stats.generateTokensPerSecond();
        if (output == null || rate == null) {
            return of(0, 0).withEqual(equal);
        }
        int tokens = output - 1;
        ChatReplySpeculatorStats s = stats.speculatorStats();
        if (s == null) {
            return new ReplyFigures(tokens, tokens / rate, tokens, 0, 0, List.of(), 0, 0, 0, equal);
        }
        return new ReplyFigures(
                tokens,
                tokens / rate,
                s.numDecodeForwardPasses(),
                s.numTokensDrafted(),
                s.numTokensAccepted(),
                s.passesByAccepted(),
                s.draftingSeconds(),
                s.verifyingSeconds(),
                s.samplingSeconds(),
                equal);
    }

    private ReplyFigures withEqual(boolean isEqual) {
        return new ReplyFigures(
                tokens, seconds, passes, drafted, accepted, passesByAccepted, drafting, verifying, sampling, isEqual);
    }

    /** Tokens a second; no number for a reply of one token. */
    double rate() {
        return tokens / seconds;
    }
}
