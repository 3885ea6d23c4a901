package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.ToolDeclaration;
import uzu.chat.ChatTemplate;
import uzu.grammar.Syntax;
import uzu.tokenizer.Tokenizer;

/** How a model writes reasoning and tool calls into its replies. Immutable. */
public sealed interface MessageFormat permits HarmonyFormat, RecipientFormat, TaggedFormat {
    /**
     * The format that a template teaches: told from the marks in its source, and from whether it describes tools at all.
     * A template without tools gets the generic format.
     *
     * @throws uzu.UzuException.TemplateFailed never: a template that fails is a template without tools
     */
    static MessageFormat of(ChatTemplate template, Tokenizer tokenizer) {
        return FormatChoice.of(template, tokenizer);
    }

    /**
     * The format called {@code name}, with the reasoning of the template.
     *
     * @throws uzu.UzuException.InvalidArgument for a name that isn't known, listing those that are
     */
    static MessageFormat named(String name, ChatTemplate template, Tokenizer tokenizer) {
        return FormatChoice.named(name, template, tokenizer);
    }

    /** By which it is chosen. */
    String name();

    /** Whether the template doesn't know tools: the model is told of them in a system message. */
    boolean isGeneric();

    /** How reasoning is written; null when the model writes none. */
    @Nullable Reasoning reasoning();

    /** What the end of a rendered prompt says of the reasoning. */
    Opening opening(String renderedPrompt);

    /** Control tokens that a parser must see; others are no part of the text. */
    Set<String> visible(boolean toolsDeclared);

    /**
     * What a reply's text may be behind its reasoning, so that it calls the tools as {@code rules} have it: text up to
     * the first call, or none, then calls.
     *
     * @param tools those declared, at least one
     * @throws uzu.UzuException.InvalidArgument if the choice names a tool that isn't declared
     */
    Syntax calls(List<ToolDeclaration> tools, CallRules rules);

    /** A reply's text behind its reasoning that answers in words: no call, nor what looks like one in another format. */
    Syntax words();

    /** A reply's text behind its reasoning that is an answer of this form and calls nothing. */
    Syntax answer(Syntax form);

    /**
     * A parser for one reply.
     *
     * @param renderedPrompt what the reply answers; identifiers of calls depend on it, so that parsing again gives the
     *     same ones
     * @param tools those declared; without any nothing is a call
     */
    MessageParser parser(String renderedPrompt, List<ToolDeclaration> tools);
}
