package uzu.speculate;

/** Whether asking a drafter that takes time pays: what its answers add to the likeliest candidate of the others. */
final class Worth {
    private static final double SHARE = 0.02;
    private static final double FIRST = 0.4;
    // A drafter that isn't asked any more is asked again after so many refusals, as the text may have changed.
    private static final int PATIENCE = 64;

    private double added = FIRST;
    private int refused;

    /** @param probability of the node that it would be asked about */
    boolean isWorth(double seconds, float probability, PassCosts costs, Company company) {
        double secondsPerToken = costs.seconds(company.rows() + 1) / (company.tokens() + 1);
        if (probability * added * secondsPerToken >= seconds || ++refused > PATIENCE) {
            refused = 0;
            return true;
        }
        return false;
    }

    void asked(double gain) {
        added += SHARE * (gain - added);
    }
}
