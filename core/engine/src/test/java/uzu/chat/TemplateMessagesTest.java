package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.ChatContentBlock.Custom;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallCandidate;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ChatContentBlock.Tools;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.ToolDeclaration;
import uzu.UzuException;

class TemplateMessagesTest {
    private static final ToolCall CALL = new ToolCall("a1b2c3d4e", "weather", "{\"city\": \"Zürich\", \"days\": 2.0}");
    private static final ToolDeclaration WEATHER = new ToolDeclaration(
            "weather", "How it is.", "{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}}}");

    /** Whatever it is given, as JSON. */
    private static final String DUMP =
            "{% for m in messages %}{{ m.role }}:{{ m | tojson(sort_keys=true) }}\n{% endfor %}{{ tools | tojson }}";

    @Test
    void callsBecomeFieldsAndResultsMessagesOfTheirOwn() {
        assertEquals(
                """
                assistant:{"content": "Let me see.", "role": "assistant", "tool_calls": [{"function": \
                {"arguments": {"city": "Zürich", "days": 2.0}, "name": "weather"}, "id": "a1b2c3d4e", "type": "function"}]}
                tool:{"content": "{\\"sky\\": \\"blue\\"}", "name": "weather", "role": "tool", "tool_call_id": "a1b2c3d4e"}
                tool:{"content": "blue", "name": "weather", "role": "tool", "tool_call_id": "other"}
                null""",
                render(
                        DUMP,
                        ChatMessage.assistant().withText("Let me see.").withToolCall(CALL),
                        ChatMessage.tool()
                                .withBlock(new ToolCallResult("a1b2c3d4e", "weather", "{\"sky\": \"blue\"}"))
                                .withBlock(new ToolCallResult("other", "weather", "\"blue\""))));
    }

    @Test
    void argumentsAreTextWhereTheTemplateWritesThemAsTheyAre() {
        String verbatim = "{% for m in messages %}{% for c in m.tool_calls or [] %}"
                + "{{ c.function.name }}({{ c.function.arguments }}){% endfor %}{% endfor %}";
        String json = verbatim.replace("arguments }}", "arguments | tojson }}");
        ChatMessage message = ChatMessage.assistant().withToolCall(CALL);
        assertEquals("weather({\"city\": \"Zürich\", \"days\": 2.0})", render(verbatim, message));
        assertEquals("weather({\"city\": \"Zürich\", \"days\": 2.0})", render(json, message));
    }

    @Test
    void contentIsNullWhereTheTemplateTellsCallsByThat() {
        String template = "{% for m in messages %}{% if m.role == 'assistant' and m.content is none %}"
                + "{{ m.tool_calls[0].function.name }}{{ m.tool_calls[0].function.arguments | tojson }}"
                + "{% else %}{{ m.content }}{% endif %}{% endfor %}";
        assertEquals(
                "weather{\"city\": \"Zürich\", \"days\": 2.0}",
                render(template, ChatMessage.assistant().withToolCall(CALL)));
    }

    @Test
    void declarationsHaveTheirSchemasAsTheyAre() {
        assertEquals(
                "[{\"type\": \"function\", \"function\": {\"name\": \"weather\", \"description\": \"How it is.\","
                        + " \"parameters\": {\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}}}}}]",
                ChatTemplate.of("{{ tools | tojson }}", null, null)
                        .render(List.of(ChatMessage.user().withText("a")), List.of(WEATHER)));
        ToolDeclaration broken = new ToolDeclaration("broken", "", "{");
        ToolDeclaration list = new ToolDeclaration("list", "", "{\"type\": \"array\"}");
        for (ToolDeclaration tool : List.of(broken, list)) {
            UzuException error = assertThrows(UzuException.InvalidArgument.class, () -> ToolSchemas.check(tool));
            assertEquals(tool.name(), error.details().get("tool"));
        }
    }

    @Test
    void messagesThatSayNothingAreNotRendered() {
        assertEquals(
                "user:{\"content\": \"Hi\", \"role\": \"user\"}\nassistant:{\"content\": \"\", \"role\": \"assistant\"}\nnull",
                render(
                        DUMP,
                        ChatMessage.system().withReasoningEffort(ReasoningEffort.DEFAULT),
                        ChatMessage.developer().withBlock(new Tools(List.of(WEATHER))),
                        ChatMessage.user().withText("Hi").withReasoningEffort(ReasoningEffort.DISABLED),
                        ChatMessage.assistant()));
    }

    @Test
    void whatIsNoCallStaysAsItsText() {
        assertEquals(
                "assistant:{\"content\": \"So: {\\\"name\\\": \", \"role\": \"assistant\"}\nnull",
                render(DUMP, ChatMessage.assistant().withText("So: ").withBlock(new ToolCallCandidate("{\"name\": "))));
    }

    @Test
    void fieldsThatTheTemplateDoesntKnowAreRefused() {
        String template = "{% for m in messages %}{{ m.mood.level }}{% endfor %}";
        ChatMessage message = ChatMessage.user().withBlock(new Custom("mood", "{\"level\": 3}"));
        assertEquals("3", render(template, message));
        UzuException error = assertThrows(UzuException.InvalidArgument.class, () -> render("{{ messages }}", message));
        assertEquals("mood", error.details().get("block"));
        ChatMessage broken = ChatMessage.user().withBlock(new Custom("mood", "{"));
        error = assertThrows(UzuException.InvalidArgument.class, () -> render(template, broken));
        assertEquals("mood", error.details().get("field"));
    }

    @Test
    void argumentsAndResultsThatAreNoJsonAreRefused() {
        ChatMessage call = ChatMessage.assistant().withToolCall(new ToolCall("1", "weather", "city=Zürich"));
        ChatMessage result = ChatMessage.tool().withBlock(new ToolCallResult("1", "weather", "blue"));
        for (ChatMessage message : List.of(call, result)) {
            UzuException error = assertThrows(UzuException.InvalidArgument.class, () -> render(DUMP, message));
            assertEquals("0", error.details().get("message"));
        }
    }

    private static String render(String template, ChatMessage... messages) {
        return ChatTemplate.of(template, null, null).render(List.of(messages), List.of());
    }
}
