package uzu.kotlin

/** Something that a text is asked for ("sentiment"), and the answers that are expected. */
data class Feature(val name: String, val values: List<String>)

/** How replies are sped up by verifying guesses. What the model answers stays the same. */
sealed class ChatSpeculationPreset {
    /** Everything that there are drafters for, as far as it pays. The default. */
    data object Auto : ChatSpeculationPreset()

    /** Token by token. */
    data object Off : ChatSpeculationPreset()

    /** For conversations. */
    data object GeneralChat : ChatSpeculationPreset()

    /** For answers that repeat much of what was said: summaries, edits, extracts. */
    data object Summarization : ChatSpeculationPreset()

    /** For answers that are one of the feature's values; others come as well. */
    data class Classification(val feature: Feature) : ChatSpeculationPreset()

    /**
     * Chosen drafters only. A model that lacks one of them refuses the session.
     *
     * @property maxNodes most tokens that one pass verifies, the last certain one included; 2 to 64
     */
    data class Custom
    @JvmOverloads constructor(
        val drafters: List<ChatDrafter>,
        val maxNodes: Int = 32,
        val verifier: ChatVerifier = ChatVerifier.SharedNoise,
    ) : ChatSpeculationPreset()
}

/** Something that guesses the model's next tokens. */
sealed class ChatDrafter {
    /** What followed when the last tokens stood earlier in the conversation. */
    data object Lookup : ChatDrafter()

    /**
     * What followed the last tokens in the model's replies of other conversations, since it was loaded. Nothing is
     * written down; but how fast a reply comes may tell that another conversation had the same words.
     */
    data object Recall : ChatDrafter()

    /** Tables of what the model says after its last tokens, trained on its own answers. */
    data object Tables : ChatDrafter()

    /** The trained network that came with the model or was made for it. */
    data object Network : ChatDrafter()

    /** A smaller model with the same vocabulary. */
    data class DraftModel(val identifier: String) : ChatDrafter()
}
