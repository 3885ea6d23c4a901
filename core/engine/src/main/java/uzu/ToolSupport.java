package uzu;

/** How a model is told of tools. */
public enum ToolSupport {
    /** Not at all: the model has no chat template. */
    NONE,
    /** In a system message, as its template doesn't know tools; calls follow a grammar. */
    GENERIC,
    /** By its own template. */
    TEMPLATE
}
