package uzu.app.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.chat.ChatTemplate;

/**
 * What a chat template puts around turns, found by rendering it with marks for what is said.
 *
 * @param openings what comes before a first user turn, one of several system messages each
 * @param toAnswer between a user turn and the answer
 * @param toUser between the token that ends an answer and the next user turn
 */
record TurnTexts(List<String> openings, String toAnswer, String toUser) {
    private static final String USER = "MarkOfTheUser";
    private static final String ANSWER = "MarkOfTheAnswer";
    private static final String NEXT = "MarkOfTheNextTurn";

    /** Mostly what the template writes by itself. */
    private static final List<String> SYSTEMS = Arrays.asList(
            null,
            null,
            null,
            "You are a helpful assistant.",
            "You write clean code and explain it briefly.",
            "You are a concise assistant.");

    /**
     * @param ends how the tokens are spelled that end a reply
     * @throws UzuException.ModelUnsupported for a template that changes what is said
     */
    static TurnTexts of(ChatTemplate template, List<String> ends) {
        List<String> openings = new ArrayList<>();
        for (String system : SYSTEMS) {
            String text = render(template, system, List.of(message("user", USER)));
            openings.add(text.substring(0, place(text, USER)));
        }
        String asked = render(template, null, List.of(message("user", USER)));
        String whole = render(
                template, null, List.of(message("user", USER), message("assistant", ANSWER), message("user", NEXT)));
        String between = whole.substring(place(whole, ANSWER) + ANSWER.length(), place(whole, NEXT));
        for (String end : ends) {
            if (between.startsWith(end)) {
                between = between.substring(end.length());
                break;
            }
        }
        return new TurnTexts(openings, asked.substring(place(asked, USER) + USER.length()), between);
    }

    private static Map<String, Object> message(String role, String content) {
        return Map.of("role", role, "content", content);
    }

    private static String render(ChatTemplate template, @Nullable String system, List<Map<String, Object>> messages) {
        List<Map<String, Object>> all = new ArrayList<>(messages);
        if (system != null) {
            all.addFirst(message("system", system));
        }
        return template.render(all, List.of(), true, Map.of());
    }

    private static int place(String text, String mark) {
        int place = text.indexOf(mark);
        if (place < 0) {
            throw new UzuException.ModelUnsupported(
                    "the chat template changes what users say, so no dialogues can be written with it", Map.of());
        }
        return place;
    }
}
