package uzu;

/** What a session is doing. */
public enum ChatSessionState {
    IDLE,
    GENERATION,
    RESETTING
}
