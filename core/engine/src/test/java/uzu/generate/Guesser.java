package uzu.generate;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.Drafter;
import uzu.speculate.Proposals;
import uzu.speculate.Proposer;
import uzu.speculate.TokenPath;

/** A test's drafter, made of one function. */
record Guesser(String name, Guess guess) implements Drafter {
    interface Guess {
        /** @param path all tokens up to the node */
        void propose(List<Integer> path, Proposals into);
    }

    /**
     * Knows texts, from the first token of the prompt, and mixes wrong guesses in, which are better than its right ones
     * as often as not.
     */
    static Drafter knowing(Supplier<List<List<Integer>>> texts, double wrong, long seed) {
        return new Guesser("knowing", (path, into) -> {
            Random random = new Random(seed * 31 + path.hashCode());
            for (List<Integer> text : texts.get()) {
                int length = path.size();
                if (random.nextDouble() < wrong) {
                    into.add(32 + random.nextInt(96), 0.5f);
                }
                if (length < text.size() && text.subList(0, length).equals(path)) {
                    into.add(text.get(length), 0.6f);
                }
                if (random.nextDouble() < wrong) {
                    into.add(32 + random.nextInt(96), 0.3f);
                }
            }
        });
    }

    @Override
    public Proposer proposer() {
        return new Proposer() {
            private List<Integer> before = List.of();

            @Override
            public void truncate(int length) {}

            @Override
            public void begin(TokenPath path, Conditions conditions) {
                before = java.util.stream.IntStream.range(0, path.size())
                        .mapToObj(path::get)
                        .toList();
            }

            @Override
            public void propose(Draft draft, int node, Proposals into) {
                guess.propose(path(draft, node), into);
            }

            private List<Integer> path(Draft draft, int node) {
                java.util.LinkedList<Integer> path = new java.util.LinkedList<>();
                for (int at = node; at > 0; at = draft.parent(at)) {
                    path.addFirst(draft.token(at));
                }
                path.addAll(0, before);
                return path;
            }
        };
    }
}
