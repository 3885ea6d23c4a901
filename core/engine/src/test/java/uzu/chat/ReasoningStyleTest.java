package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.UzuException;

class ReasoningStyleTest {
    private static final String MESSAGES = "{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}";

    @Test
    void aSwitchKnowsOnlyOnAndOff() {
        for (String name : List.of("enable_thinking", "thinking")) {
            String template = MESSAGES + "{% if " + name + " is defined and not " + name + " %}quick{% endif %}";
            assertEquals("user:a;", render(template, ReasoningEffort.DEFAULT));
            assertEquals("user:a;quick", render(template, ReasoningEffort.DISABLED));
            UzuException error =
                    assertThrows(UzuException.InvalidArgument.class, () -> render(template, ReasoningEffort.LOW));
            assertEquals("low", error.details().get("value"));
            assertTrue(error.getMessage().endsWith("only disabled, default"), error.getMessage());
        }
    }

    @Test
    void levelsAreGivenWhereTheyChangeSomething() {
        String template = MESSAGES + "{{ reasoning_effort or 'medium' }}";
        assertEquals("user:a;medium", render(template, ReasoningEffort.DEFAULT));
        assertEquals("user:a;high", render(template, ReasoningEffort.HIGH));
        assertFalse(template(template).switchesReasoning());
        String strict = MESSAGES + "{% if reasoning_effort is defined and reasoning_effort not in"
                + " ['no_think', 'low', 'high'] %}{{ raise_exception('unknown') }}{% endif %}{{ reasoning_effort }}";
        assertEquals("user:a;no_think", render(strict, ReasoningEffort.DISABLED));
        assertEquals("user:a;low", render(strict, ReasoningEffort.LOW));
        assertThrows(UzuException.InvalidArgument.class, () -> render(strict, ReasoningEffort.MEDIUM));
    }

    @Test
    void budgetsAreGivenInTokens() {
        String template = MESSAGES + "{% if thinking_budget is defined %}{{ thinking_budget }}{% endif %}";
        assertEquals("user:a;0", render(template, ReasoningEffort.DISABLED));
        assertEquals("user:a;512", render(template, ReasoningEffort.LOW));
        assertEquals("user:a;8192", render(template, ReasoningEffort.HIGH));
    }

    @Test
    void aWordOfTheSystemMessage() {
        String template = "{% if '/no_think' in messages[0].content %}quick;{% endif %}" + MESSAGES;
        assertEquals("quick;system:/no_think;user:a;", render(template, ReasoningEffort.DISABLED));
        assertEquals(
                "quick;system:Be brief.\n/no_think;user:a;",
                template(template)
                        .render(
                                List.of(
                                        ChatMessage.system().withText("Be brief."),
                                        ChatMessage.user().withText("a").withReasoningEffort(ReasoningEffort.DISABLED)),
                                List.of()));
    }

    @Test
    void aTemplateThatKnowsNothingOfIt() {
        assertFalse(template(MESSAGES).capabilities().thinking());
        assertEquals("user:a;", render(MESSAGES, ReasoningEffort.DISABLED));
        assertThrows(UzuException.InvalidArgument.class, () -> render(MESSAGES, ReasoningEffort.HIGH));
    }

    private static ChatTemplate template(String source) {
        return ChatTemplate.of(source, null, null);
    }

    private static String render(String source, ReasoningEffort effort) {
        ChatMessage message = ChatMessage.user().withText("a");
        // A message that holds only an effort sets it, and is no message to the model.
        ChatMessage asks = ChatMessage.system().withReasoningEffort(effort);
        return template(source).render(List.of(asks, message), List.of());
    }
}
