package uzu;

/** What runs the passes. */
public enum BackendChoice {
    /** The fastest that this machine has. */
    AUTO,
    CPU
}
