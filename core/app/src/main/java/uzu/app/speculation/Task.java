package uzu.app.speculation;

import java.util.ArrayList;
import java.util.List;

/**
 * Questions of one kind.
 *
 * @param samplings how their answers are drawn, one after the other
 */
record Task(String name, List<Question> questions, List<Sampling> samplings) {
    Task {
        questions = List.copyOf(questions);
        samplings = List.copyOf(samplings);
    }

    /** {@code count} questions at equal distances, all when there are fewer. */
    Task some(int count) {
        List<Question> chosen = new ArrayList<>();
        int most = Math.min(count, questions.size());
        for (int i = 0; i < most; i++) {
            chosen.add(questions.get((int) ((long) i * questions.size() / most)));
        }
        return new Task(name, chosen, samplings);
    }
}
