package uzu.kotlin

/**
 * How one reply is made. Immutable.
 *
 * @property tokenLimit most tokens to generate; null: up to the context length
 * @property grammar what the reply's text must be; null: free
 * @property lenient whether keywords of the grammar that can't be enforced are reported instead of refused
 * @property parallelToolCalls whether one reply may call several tools
 * @property toolTurnLimit how many times in a row calls are answered before the next is a [UzuException.ToolTurnLimit]
 * @property reasoningTokenLimit most tokens of thinking, which then ends; null: no limit of its own
 * @property stop texts that end the reply; it holds only what comes before
 * @property seed for this reply; null: as the session says
 * @property logprobs how many of the likeliest tokens to report beside each token drawn; null: none and not its own
 */
data class ChatReplyConfig(
    val tokenLimit: Int? = null,
    val samplingPolicy: SamplingPolicy = SamplingPolicy.Default,
    val grammar: Grammar? = null,
    val lenient: Boolean = false,
    val toolChoice: ToolChoice = ToolChoice.Auto,
    val parallelToolCalls: Boolean = true,
    val toolTurnLimit: Int = 10,
    val reasoningTokenLimit: Int? = null,
    val stop: List<String> = listOf(),
    val seed: Long? = null,
    val logprobs: Int? = null,
) {
    fun withTokenLimit(tokenLimit: Int?) = copy(tokenLimit = tokenLimit)

    fun withSamplingPolicy(samplingPolicy: SamplingPolicy) = copy(samplingPolicy = samplingPolicy)

    /** Short for a custom policy. */
    fun withSamplingMethod(samplingMethod: SamplingMethod) = withSamplingPolicy(SamplingPolicy.Custom(samplingMethod))

    fun withGrammar(grammar: Grammar?) = copy(grammar = grammar)

    fun withLenient(lenient: Boolean) = copy(lenient = lenient)

    fun withToolChoice(toolChoice: ToolChoice) = copy(toolChoice = toolChoice)

    fun withParallelToolCalls(parallelToolCalls: Boolean) = copy(parallelToolCalls = parallelToolCalls)

    fun withToolTurnLimit(toolTurnLimit: Int) = copy(toolTurnLimit = toolTurnLimit)

    fun withReasoningTokenLimit(reasoningTokenLimit: Int?) = copy(reasoningTokenLimit = reasoningTokenLimit)

    fun withStop(stop: List<String>) = copy(stop = stop)

    fun withSeed(seed: Long?) = copy(seed = seed)

    fun withLogprobs(logprobs: Int?) = copy(logprobs = logprobs)

    companion object {
        @JvmStatic
        fun create(): ChatReplyConfig = ChatReplyConfig()
    }

    /** Builds a configuration: `replyConfig { tokenLimit = 256 }`. */
    @UzuDsl
    class Builder internal constructor(start: ChatReplyConfig) {
        var tokenLimit: Int? = start.tokenLimit
        var samplingPolicy: SamplingPolicy = start.samplingPolicy

        /** Short for a custom policy; null when the policy is the model makers' own. */
        var samplingMethod: SamplingMethod?
            get() = (samplingPolicy as? SamplingPolicy.Custom)?.method
            set(method) {
                samplingPolicy = if (method == null) SamplingPolicy.Default else SamplingPolicy.Custom(method)
            }
        var grammar: Grammar? = start.grammar
        var lenient: Boolean = start.lenient
        var toolChoice: ToolChoice = start.toolChoice
        var parallelToolCalls: Boolean = start.parallelToolCalls
        var toolTurnLimit: Int = start.toolTurnLimit
        var reasoningTokenLimit: Int? = start.reasoningTokenLimit
        var stop: List<String> = start.stop
        var seed: Long? = start.seed
        var logprobs: Int? = start.logprobs

        internal fun build() = ChatReplyConfig(
            tokenLimit,
            samplingPolicy,
            grammar,
            lenient,
            toolChoice,
            parallelToolCalls,
            toolTurnLimit,
            reasoningTokenLimit,
            stop,
            seed,
            logprobs,
        )
    }
}

fun replyConfig(configure: ChatReplyConfig.Builder.() -> Unit): ChatReplyConfig =
    ChatReplyConfig.Builder(ChatReplyConfig.create()).apply(configure).build()
