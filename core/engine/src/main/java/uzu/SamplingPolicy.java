package uzu;

/** Which sampling method a reply uses. */
public sealed interface SamplingPolicy {
    /**
     * What the model's makers recommend in its files ({@code generation_config.json}, GGUF {@code general.sampling.*});
     * without a recommendation, {@link SamplingMethod.Greedy}.
     */
    record Default() implements SamplingPolicy {}

    record Custom(SamplingMethod method) implements SamplingPolicy {}
}
