package uzu.backend;

/** What a pass is asked for of a row's logits; the less, the fewer weights it may have to read. */
public enum Wanted {
    NOTHING,
    /** Only which of the tokens below {@link Batch#choices} is the likeliest: {@link Executable#best}. */
    BEST,
    /** All of them: {@link Executable#logits}, and {@link Executable#best} too. */
    LOGITS;

    public static Wanted logitsIf(boolean wanted) {
        return wanted ? LOGITS : NOTHING;
    }
}
