package uzu.speculate;

/** What else is in the pass: rows of other replies, and tokens that these rows make for sure. */
public record Company(int rows, int tokens) {
    public static final Company NONE = new Company(0, 0);
}
