package uzu;

import org.jspecify.annotations.Nullable;

/**
 * How a session or instance is set up. Immutable.
 *
 * @param messageFormat how the model writes reasoning and calls, by the names of {@code docs/messages.md}; null: as its
 *     chat template says
 */
public record ChatConfig(
        ContextLength contextLength,
        SamplingSeed samplingSeed,
        ChatSpeculationPreset speculationPreset,
        KvCache kvCache,
        @Nullable String messageFormat) {
    public static ChatConfig create() {
        return new ChatConfig(
                new ContextLength.Default(),
                new SamplingSeed.Default(),
                new ChatSpeculationPreset.Auto(),
                KvCache.F16,
                null);
    }

    public ChatConfig withContextLength(ContextLength contextLength) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat);
    }

    public ChatConfig withSamplingSeed(SamplingSeed samplingSeed) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat);
    }

    public ChatConfig withSpeculationPreset(ChatSpeculationPreset speculationPreset) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat);
    }

    public ChatConfig withKvCache(KvCache kvCache) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat);
    }

    /** A name that isn't known is refused, with those that are, when a session begins. */
    public ChatConfig withMessageFormat(@Nullable String messageFormat) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache, messageFormat);
    }
}
