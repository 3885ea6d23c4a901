package uzu.chat.parse;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;
import uzu.tokenizer.Tokenizer;

/**
 * How a model writes its reasoning.
 *
 * @param open what it starts with; the template may have written it at the prompt's end
 * @param close what ends it
 * @param forced what to write to end it from outside, as the model would: {@code close} in its usual white space
 * @param dropped marks around the answer that are no part of it
 */
public record Reasoning(String open, String close, String forced, Set<String> dropped) {
    static final Reasoning THINK = new Reasoning("<think>", "</think>", "\n</think>\n\n", Set.of());

    private static final Pattern TOKEN = Pattern.compile("<\\|[a-z_]+\\|>");

    /** Which one a template has. The special ones before those whose tags they also have. */
    private static final List<Reasoning> KNOWN = List.of(
            // Granite 3.3
            new Reasoning("<think>", "</think>", "</think><response>", Set.of("<response>", "</response>")),
            // Granite 3.2
            tags("Here is my thought process:", "Here is my response:"),
            // Apriel
            new Reasoning(
                    "Here are my reasoning steps:",
                    "[BEGIN FINAL RESPONSE]",
                    "\n[BEGIN FINAL RESPONSE]\n",
                    Set.of("[END FINAL RESPONSE]")),
            // Gemma 4
            new Reasoning("<|channel>thought", "<channel|>", "\n<channel|>", Set.of()),
            THINK,
            // Magistral, Ministral
            tags("[THINK]", "[/THINK]"),
            tags("<seed:think>", "</seed:think>"),
            // Command
            tags("<|START_THINKING|>", "<|END_THINKING|>"),
            // Apertus
            tags("<|inner_prefix|>", "<|inner_suffix|>"),
            // OpenThinker
            tags("<|begin_of_thought|>", "<|end_of_thought|>"),
            // EXAONE Deep
            tags("<thought>", "</thought>"));

    public Reasoning {
        dropped = Set.copyOf(dropped);
    }

    static Reasoning tags(String open, String close) {
        return new Reasoning(open, close, close, Set.of());
    }

    /** The one whose tags the template writes, or whose opening tag is a token of its own; null when there is none. */
    static @Nullable Reasoning of(String source, Tokenizer tokenizer) {
        for (Reasoning known : KNOWN) {
            boolean written = source.contains(known.open) || source.contains(known.close);
            boolean wrapped = known.dropped.isEmpty() || known.dropped.stream().anyMatch(source::contains);
            // Apriel's newer templates have no mark behind the answer.
            if (written && (wrapped || source.contains(known.close) && known.open.startsWith("Here"))) {
                return known;
            }
        }
        return KNOWN.stream()
                .filter(known ->
                        known.dropped.isEmpty() && tokenizer.id(known.open).isPresent())
                .findFirst()
                .orElse(null);
    }

    /** What may stand between the tag that ends it and the answer. */
    public Syntax gap() {
        Syntax spaces = Syntax.regex("[ \\n\\r\\t]{0,8}");
        if (dropped.isEmpty()) {
            return spaces;
        }
        List<Syntax> marks = dropped.stream()
                .sorted()
                .map(mark -> CallSyntax.marked(mark, visible()))
                .toList();
        return Syntax.sequence(spaces, Syntax.optional(Syntax.sequence(new Syntax.Choice(marks), spaces)));
    }

    private static void addTokens(String mark, Set<String> tokens) {
        TOKEN.matcher(mark).results().forEach(token -> tokens.add(token.group()));
    }

    /** The control tokens that it is told by. */
    Set<String> visible() {
        Set<String> visible = new HashSet<>();
        for (String tag : List.of(open, close)) {
            // Behind Gemma's token stands the channel's name.
            visible.add(tag.startsWith("<") ? tag.substring(0, tag.indexOf('>') + 1) : tag);
            addTokens(tag, visible);
        }
        dropped.forEach(mark -> addTokens(mark, visible));
        return visible;
    }
}
