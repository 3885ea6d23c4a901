package uzu.speculate;

import uzu.backend.Executable;

/** Proposes what a test says, whenever it is asked. */
final class ScriptedDrafter implements Drafter {
    /** What follows a node. */
    interface Script {
        void propose(Draft draft, int node, Proposals into);
    }

    private final double seconds;
    private final Script script;
    int asked;

    /** How many more conversations it can't be made for. */
    int failures;

    /** What following the conversation takes it, where rows were committed. */
    Runnable follows = () -> {};

    /** Whether it may prepare for being asked. */
    boolean prepares = true;

    /** @param seconds that it claims to take */
    ScriptedDrafter(double seconds, Script script) {
        this.seconds = seconds;
        this.script = script;
    }

    /** One token after each node, depth by depth; always the same chance. */
    static ScriptedDrafter chain(float chance) {
        return new ScriptedDrafter(0, (draft, node, into) -> into.add(1000 + draft.depth(node), chance));
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public double seconds() {
        return seconds;
    }

    @Override
    public void expect(boolean pays) {
        prepares = pays;
    }

    @Override
    public Proposer proposer() {
        if (failures > 0) {
            failures--;
            throw new OutOfMemoryError("on purpose");
        }
        return new Proposer() {
            @Override
            public void truncate(int length) {}

            @Override
            public void committed(TokenPath path, int from, int[] rows, Executable target) {
                follows.run();
            }

            @Override
            public void begin(TokenPath path, Conditions conditions) {}

            @Override
            public void propose(Draft draft, int node, Proposals into) {
                asked++;
                script.propose(draft, node, into);
            }
        };
    }
}
