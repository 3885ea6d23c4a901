package uzu;

/** What a session is doing. */
public enum ChatSessionState {
    IDLE,
    GENERATION,
    /** Tools run; the reply goes on with their results. */
    TOOL_CALLING,
    RESETTING
}
