package uzu;

/** Where a model runs. */
public enum ModelAccessibility {
    LOCAL,
    REMOTE
}
