package uzu.app.speculation;

import java.util.List;

/**
 * What a user says in a measured conversation.
 *
 * @param turns each is answered before the next is said
 */
record Question(String id, List<String> turns) {
    Question {
        turns = List.copyOf(turns);
    }

    Question(String id, String text) {
        this(id, List.of(text));
    }
}
