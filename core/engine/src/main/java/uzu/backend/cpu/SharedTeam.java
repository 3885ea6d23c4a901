package uzu.backend.cpu;

import org.jspecify.annotations.Nullable;

/**
 * The one worker team of the process, held as long as a backend uses it. It is the only state that engines share: two
 * teams on the same cores would wait for each other's spinning.
 */
final class SharedTeam {
    private static final SharedTeam HOLDER = new SharedTeam();

    private @Nullable Team team;
    private int users;

    private SharedTeam() {}

    /** Each call is answered by one of {@link #release}. */
    static Team acquire() {
        return HOLDER.take();
    }

    static void release() {
        HOLDER.giveBack();
    }

    private synchronized Team take() {
        Team current = team;
        if (current == null) {
            current = new Team();
            team = current;
        }
        users++;
        return current;
    }

    private synchronized void giveBack() {
        users--;
        if (users == 0 && team != null) {
            team.close();
            team = null;
        }
    }
}
