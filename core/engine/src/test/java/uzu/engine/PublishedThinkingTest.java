package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.Grammar;
import uzu.ReasoningEffort;
import uzu.ToolChoice;
import uzu.UzuException;
import uzu.chat.PublishedTemplates;
import uzu.chat.parse.MessageFormat;
import uzu.chat.parse.Opening;
import uzu.chat.parse.Reasoning;
import uzu.generate.ToyTokenizer;
import uzu.grammar.GrammarCompiler;
import uzu.speculate.Constraint;

/** Thinking with the templates of real models: efforts, thinking turned off, grammars behind it, its limit. */
class PublishedThinkingTest {
    private static final ToyTokenizer BYTES = new ToyTokenizer();
    private static final int[] ENDS = {ToyTokenizer.END};
    private static final ChatMessage QUESTION = ChatMessage.user().withText("Wet or dry?");

    private static Map<String, Prompts> thinkers() throws IOException {
        Map<String, Prompts> thinkers = new TreeMap<>();
        for (Path file : PublishedTemplates.files()) {
            Prompts prompts = new Prompts(BYTES, Files.readString(file));
            if (prompts.format().reasoning() != null && rendered(prompts, ReasoningEffort.DEFAULT) != null) {
                thinkers.put(file.getFileName().toString().replace(".jinja", ""), prompts);
            }
        }
        assertTrue(thinkers.size() >= 35, "only " + thinkers.keySet());
        return thinkers;
    }

    private static @Nullable String rendered(Prompts prompts, ReasoningEffort effort) {
        try {
            return prompts.ofMessages(List.of(QUESTION.withReasoningEffort(effort)), List.of())
                    .text();
        } catch (UzuException.InvalidArgument | UzuException.TemplateFailed refused) {
            return null;
        }
    }

    @Test
    void everyModelCanBeKeptFromThinking() throws IOException {
        List<String> open = new ArrayList<>();
        thinkers().forEach((name, prompts) -> {
            String prompt = rendered(prompts, ReasoningEffort.DISABLED);
            if (prompt == null || prompts.format().opening(prompt) == Opening.OPEN) {
                open.add(name);
            }
            // Where the model could still start to think, its template tells it not to.
            if (prompt != null && prompts.format().opening(prompt) == Opening.FREE) {
                assertTrue(prompts.capabilities().thinking(), name);
            }
        });
        assertEquals(List.of(), open);
    }

    @Test
    void effortsAreThoseOfTheTemplate() throws IOException {
        Map<String, String> efforts = new TreeMap<>();
        thinkers()
                .forEach((name, prompts) -> efforts.put(
                        name,
                        Stream.of(ReasoningEffort.LOW, ReasoningEffort.MEDIUM, ReasoningEffort.HIGH)
                                .filter(effort -> rendered(prompts, effort) != null)
                                .map(effort -> effort.name().toLowerCase(java.util.Locale.ROOT))
                                .collect(Collectors.joining(" "))));
        EXPECTED.forEach((name, expected) -> assertEquals(expected, efforts.get(name), name));
    }

    private static final Map<String, String> EXPECTED = Map.of(
            "openai-gpt-oss-120b", "low medium high",
            "ByteDance-Seed-OSS", "low medium high",
            "Kimi-K3", "low high",
            "tencent-Hy3", "low high",
            "Qwen-Qwen3-0.6B", "",
            "Qwen3.5-4B", "",
            "HuggingFaceTB-SmolLM3-3B", "");

    @Test
    void aGrammarHoldsBehindTheThinking() throws IOException {
        ChatReplyConfig config = ChatReplyConfig.create().withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        thinkers().forEach((name, prompts) -> {
            MessageFormat format = prompts.format();
            Reasoning reasoning = format.reasoning();
            String prompt = rendered(prompts, ReasoningEffort.DEFAULT);
            if (reasoning == null || prompt == null || format.opening(prompt) == Opening.CLOSED) {
                return;
            }
            String thoughts =
                    (format.opening(prompt) == Opening.OPEN ? "" : reasoning.open()) + "It { may } be <wet> é.";
            Constraint start = grammar(format, config)
                    .constraint(prompt, List.of(), new ToolChoice.Auto(), TurnGrammar.After.INPUT, 1000);
            Constraint behind = after(start, thoughts + reasoning.forced(), name);
            assertTrue(accepts(behind, answered(format, "dry")), name);
            assertFalse(accepts(behind, answered(format, "damp")), name);
        });
    }

    @Test
    void thinkingEndsAtItsLimit() throws IOException {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withReasoningTokenLimit(4)
                .withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        thinkers().forEach((name, prompts) -> {
            MessageFormat format = prompts.format();
            Reasoning reasoning = format.reasoning();
            String prompt = rendered(prompts, ReasoningEffort.DEFAULT);
            if (reasoning == null || prompt == null || format.opening(prompt) == Opening.CLOSED) {
                return;
            }
            String open = format.opening(prompt) == Opening.OPEN ? "" : reasoning.open();
            Constraint start = grammar(format, config)
                    .constraint(prompt, List.of(), new ToolChoice.Auto(), TurnGrammar.After.INPUT, 1000);
            Constraint spent = after(start, open + "Hmmm", name);
            Constraint behind = after(spent, reasoning.forced(), name);
            assertFalse(accepts(spent, "m"), name);
            assertTrue(accepts(behind, answered(format, "wet")), name);
        });
    }

    /** The answer with what the format writes before it, if anything. */
    private static String answered(MessageFormat format, String text) {
        return format.name().equals("harmony") ? "<|channel|>final<|message|>" + text : text;
    }

    private static TurnGrammar grammar(MessageFormat format, ChatReplyConfig config) {
        return new TurnGrammar(BYTES, new GrammarCompiler(BYTES, ENDS), format, ENDS, config);
    }

    private static Constraint after(Constraint start, String text, String name) {
        Constraint now = start;
        for (int token : BYTES.encode(text, false)) {
            assertTrue(now.accepts(token), () -> name + " refuses " + text);
            now = now.after(token);
        }
        return now;
    }

    private static boolean accepts(Constraint start, String text) {
        Constraint now = start;
        for (int token : BYTES.encode(text, false)) {
            if (!now.accepts(token)) {
                return false;
            }
            now = now.after(token);
        }
        return now.accepts(ToyTokenizer.END);
    }
}
