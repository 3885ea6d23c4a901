package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import uzu.ChatContentBlock;
import uzu.ChatReplyDelta;
import uzu.ToolDeclaration;
import uzu.tokenizer.TextStream;
import uzu.tokenizer.Tokenizer;

/** A reply as literal text and what it must be read as, uncut and cut everywhere. */
final class Script {
    static final ToolDeclaration WEATHER = new ToolDeclaration("get_weather", "The weather at a place.", """
            {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
             "detailed": {"type": "boolean"}, "extra": {"type": "object"},
             "tags": {"type": "array", "items": {"type": "string"}}, "note": {"type": ["string", "null"]}},
             "required": ["city"]}""");
    static final ToolDeclaration ADD = new ToolDeclaration(
            "add",
            "Adds two numbers.",
            "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\"}, \"b\": {\"type\": \"number\"}}}");
    static final List<ToolDeclaration> TOOLS = List.of(WEATHER, ADD);

    private static final Tokenizer TOKENS = MarkTokens.tokenizer();

    private final MessageFormat format;
    private final String prompt;
    private final List<ToolDeclaration> tools;
    private final String reply;

    private Script(MessageFormat format, String prompt, List<ToolDeclaration> tools, String reply) {
        this.format = format;
        this.prompt = prompt;
        this.tools = tools;
        this.reply = reply;
    }

    static Script reply(MessageFormat format, String reply) {
        return new Script(format, "<|im_start|>assistant\n", TOOLS, reply);
    }

    Script after(String end) {
        return new Script(format, end, tools, reply);
    }

    Script withoutTools() {
        return new Script(format, prompt, List.of(), reply);
    }

    static ChatContentBlock text(String text) {
        return new ChatContentBlock.Text(text);
    }

    static ChatContentBlock reasoning(String text) {
        return new ChatContentBlock.Reasoning(text);
    }

    static ChatContentBlock candidate(String text) {
        return new ChatContentBlock.ToolCallCandidate(text);
    }

    /** A call whose identifier is not looked at. */
    static ChatContentBlock call(String name, String arguments) {
        return new ChatContentBlock.ToolCall("", name, arguments);
    }

    static ChatContentBlock call(String identifier, String name, String arguments) {
        return new ChatContentBlock.ToolCall(identifier, name, arguments);
    }

    /** Reads it uncut, cut at every place, character by character, and cut at random. */
    void gives(ChatContentBlock... expected) {
        List<ChatContentBlock> whole = read(List.of(reply));
        assertEquals(List.of(expected), anonymous(whole, List.of(expected)), reply);
        isReadAlike(whole);
        if (!tools.isEmpty()) {
            assertEquals(whole, read(byTokens(true)), "with marks as control tokens");
        }
    }

    /** Reads it uncut and cut, whatever it means. */
    void isReadAlike() {
        isReadAlike(read(List.of(reply)));
    }

    private void isReadAlike(List<ChatContentBlock> whole) {
        for (int cut = 1; cut < reply.length(); cut++) {
            assertEquals(whole, read(List.of(reply.substring(0, cut), reply.substring(cut))), "cut at " + cut);
        }
        assertEquals(whole, read(reply.chars().mapToObj(Character::toString).toList()), "character by character");
        assertEquals(whole, read(byTokens(false)), "byte by byte");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            assertEquals(whole, read(pieces(random)), "random cuts, seed " + seed);
        }
    }

    /** What the tokenizer's stream makes of the reply, a token at a time. */
    private List<String> byTokens(boolean marks) {
        TextStream stream = TOKENS.stream(format.visible(true));
        List<String> pieces = new ArrayList<>();
        for (int id : TOKENS.encode(reply, marks)) {
            pieces.add(stream.next(id));
        }
        pieces.add(stream.flush());
        return pieces;
    }

    private List<String> pieces(Random random) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < reply.length(); ) {
            int to = Math.min(reply.length(), from + 1 + random.nextInt(9));
            pieces.add(reply.substring(from, to));
            from = to;
        }
        return pieces;
    }

    private static List<ChatContentBlock> anonymous(List<ChatContentBlock> blocks, List<ChatContentBlock> expected) {
        List<ChatContentBlock> anonymous = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            boolean named = i < expected.size()
                    && expected.get(i) instanceof ChatContentBlock.ToolCall wanted
                    && !wanted.identifier().isEmpty();
            anonymous.add(
                    blocks.get(i) instanceof ChatContentBlock.ToolCall call && !named
                            ? call(call.name(), call.arguments())
                            : blocks.get(i));
        }
        return anonymous;
    }

    private List<ChatContentBlock> read(List<String> pieces) {
        MessageParser parser = format.parser(prompt, tools);
        Folded folded = new Folded();
        for (String piece : pieces) {
            parser.accept(piece);
            folded.add(parser.takeDelta());
        }
        parser.end();
        folded.add(parser.takeDelta());
        List<ChatContentBlock> blocks = parser.blocks();
        folded.check(blocks);
        return blocks;
    }

    /** Deltas put together, each checked to go on from those before. */
    private static final class Folded {
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final Map<Integer, String> identifiers = new TreeMap<>();
        private final Map<Integer, String> names = new TreeMap<>();
        private final Map<Integer, StringBuilder> arguments = new TreeMap<>();

        void add(ChatReplyDelta delta) {
            text.append(delta.text());
            reasoning.append(delta.reasoning());
            for (var call : delta.toolCalls()) {
                if (!names.containsKey(call.index())) {
                    assertEquals(names.size(), call.index(), "indices count up");
                    assertTrue(!call.name().isEmpty(), "the first delta names the tool");
                    names.put(call.index(), call.name());
                    identifiers.put(call.index(), call.identifier());
                    arguments.put(call.index(), new StringBuilder());
                } else {
                    assertEquals("", call.name());
                }
                assertEquals(identifiers.get(call.index()), call.identifier());
                StringBuilder sum = arguments.get(call.index()).append(call.arguments());
                JsonScanner scanner = new JsonScanner();
                for (int i = 0; i < sum.length(); i++) {
                    assertTrue(scanner.accept(sum.charAt(i)), "begins no JSON: " + sum);
                }
            }
        }

        void check(List<ChatContentBlock> blocks) {
            StringBuilder texts = new StringBuilder();
            StringBuilder thoughts = new StringBuilder();
            List<ChatContentBlock.ToolCall> calls = new ArrayList<>();
            for (ChatContentBlock block : blocks) {
                switch (block) {
                    case ChatContentBlock.Text one -> texts.append(one.text());
                    case ChatContentBlock.Reasoning one -> thoughts.append(one.text());
                    case ChatContentBlock.ToolCall one -> calls.add(one);
                    default -> {}
                }
            }
            assertEquals(texts.toString(), text.toString());
            assertEquals(thoughts.toString(), reasoning.toString());
            List<ChatContentBlock.ToolCall> whole = new ArrayList<>();
            arguments.forEach((index, json) -> {
                var call = new ChatContentBlock.ToolCall(identifiers.get(index), names.get(index), json.toString());
                if (calls.contains(call)) {
                    whole.add(call);
                } else {
                    assertNull(JsonText.parse(json.toString()), "whole arguments without a call: " + json);
                }
            });
            assertEquals(calls, whole);
        }
    }
}
