package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ChatContentBlock.Tools;
import uzu.ChatMessage;
import uzu.ToolDeclaration;

class GenericToolsTest {
    private static final List<ToolDeclaration> TOOLS =
            List.of(new ToolDeclaration("add", "Adds \"two\".", "{\"type\":\n\"object\"}"));

    private static List<String> texts(List<ChatMessage> messages) {
        return messages.stream()
                .map(message -> message.role().name() + ": " + message.text())
                .toList();
    }

    @Test
    void theDeclarationIsPartOfTheSystemMessage() {
        String declaration = GenericTools.declaration(TOOLS);
        assertEquals("""
                You can call these functions:
                {"name": "add", "description": "Adds \\"two\\".", "parameters": {"type":"object"}}

                When a function helps to answer, call it: write its name and its arguments as JSON between these tags, \
                and nothing else.
                <tool_call>
                {"name": "the function", "arguments": {"parameter": "value"}}
                </tool_call>
                You are then given its result between <tool_response> tags, from which you answer. \
                When no function helps, answer without one.""", declaration);
        ChatMessage system = ChatMessage.system().withText("Be brief.").withBlock(new Tools(TOOLS));
        ChatMessage user = ChatMessage.user().withText("Hi");
        assertEquals(
                List.of("system: Be brief.\n\n" + declaration, "user: Hi"),
                texts(GenericTools.asText(List.of(system, user), TOOLS, true)));
        assertEquals(
                List.of("system: " + declaration, "user: Hi"), texts(GenericTools.asText(List.of(user), TOOLS, true)));
        assertEquals(
                List.of("user: " + declaration + "\n\nHi"), texts(GenericTools.asText(List.of(user), TOOLS, false)));
        assertEquals(List.of("user: Hi"), texts(GenericTools.asText(List.of(user), List.of(), true)));
    }

    @Test
    void callsAndResultsAreTextAndUsersTakeTurnsWithAssistants() {
        List<ChatMessage> messages = List.of(
                ChatMessage.user().withText("Sum?"),
                ChatMessage.assistant()
                        .withText("I add.")
                        .withToolCall(new ToolCall("1", "add", "{\"a\": 1}"))
                        .withToolCall(new ToolCall("2", "add", "{}")),
                ChatMessage.tool().withBlock(new ToolCallResult("1", "add", "3")),
                ChatMessage.tool().withBlock(new ToolCallResult("2", "add", "{\"error\": \"x\"}")),
                ChatMessage.user().withText("And?"));
        assertEquals(
                List.of(
                        "user: Sum?",
                        "assistant: I add.\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n</tool_call>\n"
                                + "<tool_call>\n{\"name\": \"add\", \"arguments\": {}}\n</tool_call>",
                        "user: <tool_response>\n{\"name\": \"add\", \"result\": 3}\n</tool_response>\n<tool_response>\n"
                                + "{\"name\": \"add\", \"result\": {\"error\": \"x\"}}\n</tool_response>\nAnd?"),
                texts(GenericTools.asText(messages, List.of(), true)));
    }
}
