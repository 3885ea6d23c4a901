package uzu;

import java.util.List;

/**
 * What speculation brought to a reply. Passes over the prompt, the last of which brings the first token, aren't counted.
 *
 * @param tokensPerForwardPass tokens that a pass of decoding brought, on average: 1 without drafts; 0 before the first
 * @param numDecodeForwardPasses passes of decoding
 * @param numTokensDrafted tokens that drafters proposed and passes verified
 * @param numTokensAccepted of these, the ones that became part of the reply
 * @param passesByAccepted how many passes accepted 0, 1, 2, … drafted tokens; their sum is all passes of decoding
 * @param draftingSeconds time in drafters, and in reading the prompt for those that do, which is before decoding
 * @param verifyingSeconds time in passes of decoding, shared with other replies where these were in the same pass
 * @param samplingSeconds time in drawing tokens from the results of passes
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
