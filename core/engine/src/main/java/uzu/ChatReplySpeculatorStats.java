package uzu;

import java.util.List;

/**
 * What speculation brought to a reply.
 *
 * @param tokensPerForwardPass tokens of the reply by passes of decoding
 * @param numDecodeForwardPasses passes in which tokens of the reply were drawn
 * @param numTokensDrafted tokens that drafters proposed and passes verified
 * @param numTokensAccepted of these, the ones that became part of the reply
 * @param passesByAccepted how many passes accepted 0, 1, 2, … drafted tokens
 * @param draftingSeconds time in drafters
 * @param verifyingSeconds time in passes of decoding
 * @param samplingSeconds time in drawing tokens from the results
 */
public record ChatReplySpeculatorStats(
        double tokensPerForwardPass,
        int numDecodeForwardPasses,
        int numTokensDrafted,
        int numTokensAccepted,
        List<Integer> passesByAccepted,
        double draftingSeconds,
        double verifyingSeconds,
        double samplingSeconds) {
    public ChatReplySpeculatorStats {
        passesByAccepted = List.copyOf(passesByAccepted);
    }
}
