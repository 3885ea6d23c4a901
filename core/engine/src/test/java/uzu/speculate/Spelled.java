package uzu.speculate;

/** Paths and proposals of tests. */
final class Spelled {
    private Spelled() {}

    static TokenPath path(int... ids) {
        return new TokenPath() {
            @Override
            public int size() {
                return ids.length;
            }

            @Override
            public int get(int index) {
                return ids[index];
            }
        };
    }

    /** What is proposed at the root after {@code ids}: {@code token:chance}, the first one first. */
    static String proposed(Proposer proposer, int... ids) {
        Draft draft = new Draft(1, 1);
        draft.begin(ids[ids.length - 1]);
        proposer.begin(path(ids), Conditions.GREEDY);
        return proposed(proposer, draft, 0);
    }

    static String proposed(Proposer proposer, Draft draft, int node) {
        Proposals proposals = new Proposals();
        proposer.propose(draft, node, proposals);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < proposals.size(); i++) {
            all.append(i == 0 ? "" : " ").append("%d:%.3f".formatted(proposals.token(i), proposals.probability(i)));
        }
        return all.toString();
    }

    static Proposals proposals(int token, double chance, Object... more) {
        Proposals proposals = new Proposals();
        proposals.add(token, (float) chance);
        for (int i = 0; i < more.length; i += 2) {
            proposals.add((int) more[i], (float) (double) more[i + 1]);
        }
        return proposals;
    }
}
