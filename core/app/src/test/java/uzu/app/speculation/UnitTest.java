package uzu.app.speculation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnitTest {
    private static Task task(String name, int questions, Sampling... samplings) {
        return new Task(
                name,
                IntStream.range(0, questions)
                        .mapToObj(i -> new Question(Integer.toString(i), "?"))
                        .toList(),
                List.of(samplings));
    }

    private static List<String> ids(Task task) {
        return task.questions().stream().map(Question::id).toList();
    }

    @Test
    void someQuestionsOfATaskAreSpread() {
        assertEquals(
                List.of("0", "20", "40", "60"),
                ids(task("a", 80, Sampling.GREEDY).some(4)));
        assertEquals(List.of("0", "1", "2"), ids(task("a", 3, Sampling.GREEDY).some(10)));
    }

    @Test
    void unitsTakeTheTasksInTurns() {
        List<String> order =
                Unit.of(List.of(task("a", 4, Sampling.GREEDY, Sampling.WARM), task("b", 2, Sampling.GREEDY))).stream()
                        .map(unit -> unit.task() + unit.question().id() + " "
                                + unit.sampling().title())
                        .toList();
        assertEquals(
                List.of(
                        "a0 greedy",
                        "a0 T=0.7",
                        "b0 greedy",
                        "a1 greedy",
                        "a1 T=0.7",
                        "a2 greedy",
                        "a2 T=0.7",
                        "b1 greedy",
                        "a3 greedy",
                        "a3 T=0.7"),
                order);
    }
}
