package uzu;

/** How drafted tokens are judged where tokens are drawn by chance. Both keep the model's distribution. */
public enum ChatVerifier {
    /** Draws what would be drawn without speculation, for the same seed, and follows a draft as far as it agrees. */
    SHARED_NOISE,

    /**
     * Accepts a token drafted with chance q with min(1, p/q), else draws from what is left of p. Another text than
     * without speculation, as likely.
     */
    REJECTION
}
