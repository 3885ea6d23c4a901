package uzu;

/** How the properties of objects are ordered. */
public enum PropertyOrder {
    /** As the schema lists them, which models find easier and drafts can foresee; those that may be missing are skipped. */
    AS_GIVEN,
    /** In any order, as JSON Schema has it. */
    FREE
}
