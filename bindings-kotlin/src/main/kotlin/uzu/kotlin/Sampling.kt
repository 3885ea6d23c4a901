package uzu.kotlin

/** How the next token is chosen. */
sealed class SamplingMethod {
    /** The likeliest token. */
    data object Greedy : SamplingMethod()

    /** A draw. Null leaves a step out. */
    data class Stochastic
    @JvmOverloads constructor(
        val temperature: Double? = null,
        val topK: Int? = null,
        val topP: Double? = null,
        val minP: Double? = null,
        val repetitionPenalty: Double? = null,
        val suffixRepetitionLength: Int? = null,
        val presencePenalty: Double? = null,
        val frequencyPenalty: Double? = null,
        /** What to add to the logits of tokens, by their ids. */
        val logitBias: Map<Int, Double>? = null,
    ) : SamplingMethod()
}

/** The model makers' own sampling, or a method. */
sealed class SamplingPolicy {
    data object Default : SamplingPolicy()

    data class Custom(val method: SamplingMethod) : SamplingPolicy()
}

/** A fresh seed for each reply, reported in its stats, or the same one for each. */
sealed class SamplingSeed {
    data object Default : SamplingSeed()

    data class Custom(val seed: Long) : SamplingSeed()
}
