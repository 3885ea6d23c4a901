package uzu.speculate;

/** Paths by another drafter's word, such as that of n-gram tables. */
final class TablePaths implements Paths {
    /** What a token is granted of which the other knows nothing. */
    private static final double FLOOR = 0.02;

    private final Proposer tables;
    private final Proposals told = new Proposals();

    TablePaths(Proposer tables) {
        this.tables = tables;
    }

    @Override
    public void truncate(int length) {
        tables.truncate(length);
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        tables.begin(path, conditions);
    }

    /** √(p + floor): two estimates of one thing, half as surely independent. */
    @Override
    public boolean weigh(Draft draft, int node, BlockCandidates candidates, double[] factors) {
        if (node == 0) {
            return false; // the path to the root is what the block was made from
        }
        told.clear();
        tables.propose(draft, node, told);
        for (int i = 0; i < candidates.size(); i++) {
            factors[i] = Math.sqrt(chance(candidates.token(i)) + FLOOR);
        }
        return told.size() > 0;
    }

    private double chance(int token) {
        for (int i = 0; i < told.size(); i++) {
            if (told.token(i) == token) {
                return told.probability(i);
            }
        }
        return 0;
    }

    @Override
    public void close() {
        tables.close();
    }
}
