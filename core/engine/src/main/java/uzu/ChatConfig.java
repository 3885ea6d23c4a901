package uzu;

/** How a session or instance is set up. Immutable. */
public record ChatConfig(
        ContextLength contextLength,
        SamplingSeed samplingSeed,
        ChatSpeculationPreset speculationPreset,
        KvCache kvCache) {
    public static ChatConfig create() {
        return new ChatConfig(
                new ContextLength.Default(), new SamplingSeed.Default(), new ChatSpeculationPreset.Auto(), KvCache.F16);
    }

    public ChatConfig withContextLength(ContextLength contextLength) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache);
    }

    public ChatConfig withSamplingSeed(SamplingSeed samplingSeed) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache);
    }

    public ChatConfig withSpeculationPreset(ChatSpeculationPreset speculationPreset) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache);
    }

    public ChatConfig withKvCache(KvCache kvCache) {
        return new ChatConfig(contextLength, samplingSeed, speculationPreset, kvCache);
    }
}
