package uzu.kotlin

/**
 * What speculation brought to a reply. Passes over the prompt, the last of which brings the first token, aren't
 * counted.
 *
 * @property tokensPerForwardPass tokens that a pass of decoding brought, on average: 1 without drafts
 * @property numTokensDrafted tokens that drafters proposed and passes verified
 * @property numTokensAccepted of these, the ones that became part of the reply
 * @property passesByAccepted how many passes accepted 0, 1, 2, … drafted tokens
 * @property verifyingSeconds in passes of decoding, shared with other replies where these were in the same pass
 * @property samplingSeconds in drawing tokens from the results of passes
 */
data class ChatReplySpeculatorStats(
    val tokensPerForwardPass: Double,
    val numDecodeForwardPasses: Int,
    val numTokensDrafted: Int,
    val numTokensAccepted: Int,
    val passesByAccepted: List<Int>,
    val draftingSeconds: Double,
    val verifyingSeconds: Double,
    val samplingSeconds: Double,
)

/**
 * Figures of a reply. Times are seconds from the call, template and tokenizer included; null where not known yet.
 *
 * @property tokensCountInput tokens of the prompt, cached ones included
 * @property tokensCountCached prompt tokens that needn't be computed again
 * @property seed the seed that repeats this reply
 */
data class ChatReplyStats(
    val duration: Double,
    val timeToFirstToken: Double?,
    val prefillTokensPerSecond: Double?,
    val generateTokensPerSecond: Double?,
    val tokensCountInput: Int?,
    val tokensCountOutput: Int?,
    val tokensCountCached: Int?,
    val tokensCount: Int,
    val memoryUsedBytes: Long?,
    val speculatorStats: ChatReplySpeculatorStats?,
    val seed: Long?,
)

/** How likely a token was in the model's own distribution. */
data class TokenLogprob(
    val token: Int,
    val text: String,
    val logprob: Double,
    val alternatives: List<TokenLogprob> = listOf(),
)

/**
 * The model's answer.
 *
 * @property finishReason null while it is being made
 * @property unenforced keywords of a lenient grammar that the reply may violate; known at its end
 * @property logprobs one for each token generated, when asked for
 */
data class ChatReply(
    val message: ChatMessage,
    val stats: ChatReplyStats,
    val finishReason: ChatReplyFinishReason?,
    val unenforced: List<String>,
    val logprobs: List<TokenLogprob>,
)

/**
 * What to append to a message.
 *
 * @property text empty when there is none
 * @property reasoning empty when there is none
 */
data class ChatReplyDelta(val text: String, val reasoning: String, val toolCalls: List<ToolCallDelta>) {
    /**
     * What to append to a call.
     *
     * @property index which of the message's calls
     * @property name whole in the first delta of a call, empty in others
     * @property arguments JSON text to append
     */
    data class ToolCallDelta(val index: Int, val identifier: String, val name: String, val arguments: String)
}

/** A text continued, without the text it continues. */
data class Completion(
    val text: String,
    val stats: ChatReplyStats,
    val finishReason: ChatReplyFinishReason?,
    val logprobs: List<TokenLogprob>,
)
