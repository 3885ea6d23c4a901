package uzu.app.speculation;

import java.util.Map;
import java.util.TreeMap;

/**
 * One turn of a question, answered by everyone, one right after the other.
 *
 * @param turn from 1 on
 * @param promptTokens of the whole conversation so far
 * @param replies by the variant's name, or the peer's
 */
record Measured(
        String task, String question, int turn, String sampling, int promptTokens, Map<String, ReplyFigures> replies) {
    Measured {
        replies = new TreeMap<>(replies);
    }

    boolean isOf(Unit unit) {
        return task.equals(unit.task())
                && question.equals(unit.question().id())
                && sampling.equals(unit.sampling().title());
    }
}
