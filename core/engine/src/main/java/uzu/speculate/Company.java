package uzu.speculate;

/**
 * What else is in the pass: rows of other replies, tokens that these rows make for sure, what they read of their
 * contexts (see {@link PassCosts#seconds(int, double)}), and rows of the prompt below whose last one the draft hangs.
 */
public record Company(int rows, int tokens, double reads, int prompt) {
    public static final Company NONE = new Company(0, 0, 0);

    public Company(int rows, int tokens, double reads) {
        this(rows, tokens, reads, 0);
    }

    public Company withPrompt(int promptRows) {
        return promptRows == prompt ? this : new Company(rows, tokens, reads, promptRows);
    }

    /** Whether the draft hangs below a prompt that is computed in the same pass. */
    boolean hasPrompt() {
        return prompt > 0;
    }
}
