package uzu.generate;

import java.util.concurrent.atomic.AtomicInteger;
import uzu.backend.Executable;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.Drafter;
import uzu.speculate.Proposals;
import uzu.speculate.Proposer;
import uzu.speculate.TokenPath;

/** Says that it takes no time, so that it is asked whatever passes cost, and counts what it proposes. */
record FreeDrafter(Drafter drafter, AtomicInteger proposed) implements Drafter {
    @Override
    public String name() {
        return drafter.name();
    }

    @Override
    public Proposer proposer() {
        Proposer proposer = drafter.proposer();
        return new Proposer() {
            @Override
            public void truncate(int length) {
                proposer.truncate(length);
            }

            @Override
            public void committed(TokenPath path, int from, int[] rows, Executable target) {
                proposer.committed(path, from, rows, target);
            }

            @Override
            public void begin(TokenPath path, Conditions conditions) {
                proposer.begin(path, conditions);
            }

            @Override
            public void propose(Draft draft, int node, Proposals into) {
                proposer.propose(draft, node, into);
                proposed.addAndGet(into.size());
            }

            @Override
            public void close() {
                proposer.close();
            }
        };
    }
}
