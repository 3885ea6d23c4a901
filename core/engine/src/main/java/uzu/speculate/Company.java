package uzu.speculate;

/**
 * What else is in the pass: rows of other replies, tokens that these rows make for sure, and what they read of their
 * contexts (see {@link PassCosts#seconds(int, double)}).
 */
public record Company(int rows, int tokens, double reads) {
    public static final Company NONE = new Company(0, 0, 0);
}
