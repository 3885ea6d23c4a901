package uzu.app.train;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.tokenizer.Tokenizer;

/** Finds the pieces around turns by rendering a template with marks for texts. */
final class TurnsReading {
    private static final String USER = "MarkOfTheUser";
    private static final String ANSWER = "MarkOfTheAnswer";
    private static final String NEXT = "MarkOfTheNextTurn";

    private static final List<String> SYSTEMS = Arrays.asList(
            null,
            null,
            null,
            "You are a helpful assistant.",
            "You write clean code and explain it briefly.",
            "You are a concise assistant.");

    private TurnsReading() {}

    /**
     * @param template a model's chat template
     * @param ends tokens that end a reply
     */
    static Turns of(String template, Tokenizer tokenizer, int[] ends) {
        ChatTemplate chat =
                ChatTemplate.of(template, spelling(tokenizer, tokenizer.bos()), spelling(tokenizer, tokenizer.eos()));
        List<int[]> openings = new ArrayList<>();
        for (String system : SYSTEMS) {
            String text = render(chat, system, message("user", USER));
            openings.add(tokenizer.encode(text.substring(0, place(text, USER)), true));
        }
        String asked = render(chat, null, message("user", USER));
        String toAnswer = asked.substring(place(asked, USER) + USER.length());
        String whole = render(chat, null, message("user", USER), message("assistant", ANSWER), message("user", NEXT));
        String between = whole.substring(place(whole, ANSWER) + ANSWER.length(), place(whole, NEXT));
        for (int end : ends) {
            String spelled = new String(tokenizer.bytes(end), StandardCharsets.UTF_8);
            if (between.startsWith(spelled)) {
                between = between.substring(spelled.length());
                break;
            }
        }
        return new Turns(
                openings.toArray(int[][]::new),
                tokenizer.encode(toAnswer, true),
                tokenizer.encode(between, true),
                ends);
    }

    private static @Nullable String spelling(Tokenizer tokenizer, OptionalInt id) {
        return id.isEmpty() ? null : new String(tokenizer.bytes(id.getAsInt()), StandardCharsets.UTF_8);
    }

    private static Map<String, Object> message(String role, String content) {
        return Map.of("role", role, "content", content);
    }

    @SafeVarargs
    private static String render(ChatTemplate chat, @Nullable String system, Map<String, Object>... messages) {
        List<Map<String, Object>> all = new ArrayList<>(List.of(messages));
        if (system != null) {
            all.addFirst(message("system", system));
        }
        return chat.render(all, List.of(), true, Map.of());
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
