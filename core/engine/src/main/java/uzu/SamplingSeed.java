package uzu;

/** Where the randomness of a session's replies comes from. */
public sealed interface SamplingSeed {
    /** A fresh seed for each reply, reported in its {@link ChatReplyStats}. */
    record Default() implements SamplingSeed {}

    /** This seed for each reply: the same conversation gives the same text. */
    record Custom(long seed) implements SamplingSeed {}
}
