package uzu;

/** How long a model may reason before it answers. */
public enum ReasoningEffort {
    DISABLED,
    DEFAULT,
    LOW,
    MEDIUM,
    HIGH
}
