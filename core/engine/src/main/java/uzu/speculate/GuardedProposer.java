package uzu.speculate;

import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;

/** A drafter's side of a conversation, silent once the drafter has failed: a guess is never worth the reply. */
final class GuardedProposer implements Proposer {
    private final Drafter drafter;
    private @Nullable Proposer working;

    GuardedProposer(Drafter drafter) {
        this.drafter = drafter;
        try {
            working = drafter.proposer();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    boolean hasFailed() {
        return working == null;
    }

    /** {@link Drafter#seconds}. */
    double seconds() {
        try {
            double seconds = working == null ? 0 : drafter.seconds();
            return seconds > 0 ? seconds : 0;
        } catch (RuntimeException | Error e) {
            failed(e);
            return 0;
        }
    }

    @Override
    public void truncate(int length) {
        try {
            if (working != null) {
                working.truncate(length);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public void reply(int start) {
        try {
            if (working != null) {
                working.reply(start);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public void committed(TokenPath path, int from, int[] rows, Executable target) {
        try {
            if (working != null) {
                working.committed(path, from, rows, target);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public void begin(TokenPath path, Conditions conditions) {
        try {
            if (working != null) {
                working.begin(path, conditions);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public void propose(Draft draft, int node, Proposals into) {
        try {
            if (working != null) {
                working.propose(draft, node, into);
            }
        } catch (RuntimeException | Error e) {
            into.clear();
            failed(e);
        }
    }

    @Override
    public void close() {
        Proposer closing = working;
        working = null;
        try {
            if (closing != null) {
                closing.close();
            }
        } catch (RuntimeException | Error e) {
            tell(e);
        }
    }

    private void failed(Throwable failure) {
        close();
        tell(failure);
    }

    /** It is for the drafter's owner to see. */
    static void tell(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable e) {
            // Nobody is left to tell; a thread's end ignores it too.
        }
    }
}
