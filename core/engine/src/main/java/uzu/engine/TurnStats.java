package uzu.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatReplyStats;

/** Figures of a reply of several turns: sums, rates over the sums, and the first turn's time to the first token. */
final class TurnStats {
    private TurnStats() {}

    /** @param earlier of the turns before; null: there are none */
    static ChatReplyStats sum(@Nullable ChatReplyStats earlier, ChatReplyStats last) {
        if (earlier == null) {
            return last;
        }
        return new ChatReplyStats(
                earlier.duration() + last.duration(),
                earlier.timeToFirstToken() == null ? last.timeToFirstToken() : earlier.timeToFirstToken(),
                earlier.timeToFirstToken() == null ? last.prefillTokensPerSecond() : earlier.prefillTokensPerSecond(),
                rate(earlier, last),
                sum(earlier.tokensCountInput(), last.tokensCountInput()),
                sum(earlier.tokensCountOutput(), last.tokensCountOutput()),
                sum(earlier.tokensCountCached(), last.tokensCountCached()),
                last.memoryUsedBytes(),
                sum(earlier.speculatorStats(), last.speculatorStats()),
                last.seed());
    }

    private static @Nullable Integer sum(@Nullable Integer earlier, @Nullable Integer last) {
        return earlier == null || last == null ? null : (Integer) (earlier + last);
    }

    /** Tokens by the time they took. */
    private static @Nullable Double rate(ChatReplyStats earlier, ChatReplyStats last) {
        Double before = earlier.generateTokensPerSecond();
        Double now = last.generateTokensPerSecond();
        Integer tokensBefore = earlier.tokensCountOutput();
        Integer tokensNow = last.tokensCountOutput();
        if (before == null || tokensBefore == null) {
            return now;
        }
        if (now == null || tokensNow == null) {
            return before;
        }
        return (tokensBefore + tokensNow) / (tokensBefore / before + tokensNow / now);
    }

    private static @Nullable ChatReplySpeculatorStats sum(
            @Nullable ChatReplySpeculatorStats earlier, @Nullable ChatReplySpeculatorStats last) {
        if (earlier == null || last == null) {
            return earlier == null ? last : earlier;
        }
        int passes = earlier.numDecodeForwardPasses() + last.numDecodeForwardPasses();
        double tokens = earlier.tokensPerForwardPass() * earlier.numDecodeForwardPasses()
                + last.tokensPerForwardPass() * last.numDecodeForwardPasses();
        return new ChatReplySpeculatorStats(
                passes == 0 ? 0 : tokens / passes,
                passes,
                earlier.numTokensDrafted() + last.numTokensDrafted(),
                earlier.numTokensAccepted() + last.numTokensAccepted(),
                sum(earlier.passesByAccepted(), last.passesByAccepted()),
                earlier.draftingSeconds() + last.draftingSeconds(),
                earlier.verifyingSeconds() + last.verifyingSeconds(),
                earlier.samplingSeconds() + last.samplingSeconds());
    }

    private static List<Integer> sum(List<Integer> earlier, List<Integer> last) {
        List<Integer> sums = new ArrayList<>();
        for (int i = 0; i < Math.max(earlier.size(), last.size()); i++) {
            sums.add((i < earlier.size() ? earlier.get(i) : 0) + (i < last.size() ? last.get(i) : 0));
        }
        return sums;
    }
}
