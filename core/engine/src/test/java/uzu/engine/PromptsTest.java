package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.UzuException;
import uzu.generate.ToyTokenizer;

class PromptsTest {
    private static final String THINKING =
            "{{ bos_token }}{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}"
                    + "{% if enable_thinking is defined %}{{ enable_thinking }}{% endif %}{{ reasoning_effort }}";

    private final ToyTokenizer tokenizer = new ToyTokenizer();

    @Test
    void aRawTextStartsWithBosOnce() {
        Prompts prompts = new Prompts(tokenizer, null);
        assertArrayEquals(new int[] {ToyTokenizer.BEGIN, 'h', 'i'}, prompts.ofText("hi"));
        assertArrayEquals(new int[] {ToyTokenizer.BEGIN}, prompts.ofText(""));
    }

    @Test
    void aModelWithoutTemplateRefusesConversations() {
        Prompts prompts = new Prompts(tokenizer, null);
        assertFalse(prompts.hasTemplate());
        UzuException error = assertThrows(
                UzuException.InvalidArgument.class,
                () -> prompts.ofMessages(List.of(ChatMessage.user().withText("a")), List.of()));
        assertEquals("chat_template", error.details().get("field"));
    }

    @Test
    void effortBecomesTheVariablesThatTemplatesKnow() {
        ChatMessage plain = ChatMessage.user().withText("a");
        assertEquals("<s>user:a;", rendered(plain));
        assertEquals("<s>user:a;False", rendered(plain.withReasoningEffort(ReasoningEffort.DISABLED)));
        assertEquals("<s>user:a;Truehigh", rendered(plain.withReasoningEffort(ReasoningEffort.HIGH)));
        assertEquals(
                "<s>user:a;assistant:b;Truelow",
                rendered(
                        plain.withReasoningEffort(ReasoningEffort.HIGH),
                        ChatMessage.assistant().withText("b").withReasoningEffort(ReasoningEffort.LOW)));
    }

    @Test
    void textBlocksAreJoined() {
        assertEquals(
                "<s>user:ab;assistant:;",
                rendered(ChatMessage.user().withText("a").withText("b"), ChatMessage.assistant()));
    }

    private String rendered(ChatMessage... messages) {
        return new Prompts(tokenizer, THINKING)
                .ofMessages(List.of(messages), List.of())
                .text();
    }
}
