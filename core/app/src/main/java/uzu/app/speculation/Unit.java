package uzu.app.speculation;

import java.util.ArrayList;
import java.util.List;

/** A conversation to be measured, the smallest thing that is done or not. */
record Unit(String task, Question question, Sampling sampling) {
    /** Every question has its own: the same noise draws what was drawn before, which can be recalled. */
    long seed() {
        return question.id().hashCode();
    }

    /** Those of all tasks, in turns, so that what was measured when time is up is spread over all of them. */
    static List<Unit> of(List<Task> tasks) {
        int most =
                tasks.stream().mapToInt(task -> task.questions().size()).max().orElse(0);
        List<Unit> units = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            for (Task task : tasks) {
                int have = task.questions().size();
                // Tasks with fewer questions are spread, too.
                int index = (int) ((long) i * have / most);
                if (i > 0 && index == (int) ((long) (i - 1) * have / most)) {
                    continue;
                }
                for (Sampling sampling : task.samplings()) {
                    units.add(new Unit(task.name(), task.questions().get(index), sampling));
                }
            }
        }
        return units;
    }
}
