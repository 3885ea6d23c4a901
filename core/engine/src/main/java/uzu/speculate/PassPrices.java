package uzu.speculate;

/**
 * What rows of a draft cost in the next pass, in plain tokens: the time in which the pass without drafts makes a token
 * of one of its replies.
 */
final class PassPrices {
    private final PassCosts costs;
    private Company company = Company.NONE;
    private int length;
    private final double[] extra = new double[PassCosts.MOST_ROWS + 1];
    private double token;
    private double cheapest;

    PassPrices(PassCosts costs) {
        this.costs = costs;
    }

    /**
     * @param contextLength committed tokens of the reply that drafts
     * @param maxNodes of the draft
     */
    void begin(Company others, int contextLength, int maxNodes) {
        company = others;
        length = contextLength;
        double plain = seconds(1);
        token = costs.seconds(others.rows() + 1, others.reads() + 2.0 * contextLength) / (others.tokens() + 1);
        cheapest = Double.MAX_VALUE;
        for (int nodes = 2; nodes <= maxNodes; nodes++) {
            extra[nodes] = (seconds(nodes) - plain) / token;
            cheapest = Math.min(cheapest, extra[nodes] - extra[nodes - 1]);
        }
    }

    /** What the pass costs more with {@code nodes} nodes, the root included, than with the root alone. */
    double ofNodes(int nodes) {
        return extra[nodes];
    }

    /** What the pass costs without drafts: the tokens that it makes then. */
    double ofPass() {
        return company.tokens() + 1;
    }

    /** What one more node costs where that is least: one with less of a chance never pays. */
    double cheapest() {
        return cheapest;
    }

    double ofSeconds(double seconds) {
        return seconds / token;
    }

    private double seconds(int nodes) {
        return costs.seconds(
                company.rows() + company.prompt() + nodes, company.reads() + (double) length * (1 + nodes));
    }
}
