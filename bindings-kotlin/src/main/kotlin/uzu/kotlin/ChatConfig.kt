package uzu.kotlin

/** Most tokens of a conversation: the model's own up to 16,384, the model's own, or a number. */
sealed class ContextLength {
    data object Default : ContextLength()

    data object Maximal : ContextLength()

    data class Custom(val length: Int) : ContextLength()
}

/**
 * How a session or an instance is set up. Immutable.
 *
 * @property messageFormat how the model writes reasoning and calls, by the names of docs/messages.md; null: as its
 *     template says. A name that isn't known is refused when a session begins.
 */
data class ChatConfig(
    val contextLength: ContextLength = ContextLength.Default,
    val samplingSeed: SamplingSeed = SamplingSeed.Default,
    val speculationPreset: ChatSpeculationPreset = ChatSpeculationPreset.Auto,
    val kvCache: KvCache = KvCache.F16,
    val messageFormat: String? = null,
) {
    fun withContextLength(contextLength: ContextLength) = copy(contextLength = contextLength)

    fun withSamplingSeed(samplingSeed: SamplingSeed) = copy(samplingSeed = samplingSeed)

    fun withSpeculationPreset(speculationPreset: ChatSpeculationPreset) = copy(speculationPreset = speculationPreset)

    fun withKvCache(kvCache: KvCache) = copy(kvCache = kvCache)

    fun withMessageFormat(messageFormat: String?) = copy(messageFormat = messageFormat)

    companion object {
        @JvmStatic
        fun create(): ChatConfig = ChatConfig()
    }

    /** Builds a configuration: `chatConfig { kvCache = KvCache.Q8 }`. */
    @UzuDsl
    class Builder internal constructor(start: ChatConfig) {
        var contextLength: ContextLength = start.contextLength
        var samplingSeed: SamplingSeed = start.samplingSeed
        var speculationPreset: ChatSpeculationPreset = start.speculationPreset
        var kvCache: KvCache = start.kvCache
        var messageFormat: String? = start.messageFormat

        internal fun build() =
            ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat)
    }
}

fun chatConfig(configure: ChatConfig.Builder.() -> Unit): ChatConfig =
    ChatConfig.Builder(ChatConfig.create()).apply(configure).build()
