package uzu.app.train;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import uzu.chat.ChatTemplate;
import uzu.tokenizer.Tokenizer;

/**
 * The pieces of a chat template around what is written, as token ids: {@link TurnTexts}.
 *
 * @param ends tokens that end a turn
 */
record Turns(int[][] openings, int[] toAnswer, int[] toUser, int[] ends) {
    static Turns of(String template, Tokenizer tokenizer, int[] ends) {
        ChatTemplate chat =
                ChatTemplate.of(template, spelling(tokenizer, tokenizer.bos()), spelling(tokenizer, tokenizer.eos()));
        TurnTexts texts = TurnTexts.of(
                chat,
                Arrays.stream(ends).mapToObj(end -> spelling(tokenizer, end)).toList());
        return new Turns(
                texts.openings().stream()
                        .map(text -> tokenizer.encode(text, true))
                        .toArray(int[][]::new),
                tokenizer.encode(texts.toAnswer(), true),
                tokenizer.encode(texts.toUser(), true),
                ends);
    }

    private static @Nullable String spelling(Tokenizer tokenizer, OptionalInt id) {
        return id.isEmpty() ? null : spelling(tokenizer, id.getAsInt());
    }

    private static String spelling(Tokenizer tokenizer, int id) {
        return new String(tokenizer.bytes(id), StandardCharsets.UTF_8);
    }

    boolean isEnd(int token) {
        for (int end : ends) {
            if (token == end) {
                return true;
            }
        }
        return false;
    }

    /** The user turn with which a dialogue begins. */
    int[] prompt(Dialogue dialogue) {
        int[] ids = dialogue.ids();
        int from = 0;
        for (int[] opening : openings) {
            if (startsWith(ids, opening)) {
                from = Math.max(from, opening.length);
            }
        }
        int to = from;
        while (to < ids.length && dialogue.writer(to) != Dialogue.ASSISTANT) {
            to++;
        }
        return Arrays.copyOfRange(ids, from, Math.max(from, to - toAnswer.length));
    }

    private static boolean startsWith(int[] ids, int[] beginning) {
        return ids.length >= beginning.length
                && Arrays.equals(ids, 0, beginning.length, beginning, 0, beginning.length);
    }
}
