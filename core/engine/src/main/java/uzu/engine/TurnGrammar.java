package uzu.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.ChatReplyConfig;
import uzu.Grammar;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.UzuException;
import uzu.chat.parse.CallRules;
import uzu.chat.parse.MessageFormat;
import uzu.chat.parse.Opening;
import uzu.chat.parse.Reasoning;
import uzu.grammar.CompiledGrammar;
import uzu.grammar.GrammarCompiler;
import uzu.grammar.Syntax;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/**
 * What a turn may say: thinking first, which is free, then a text, which may have to be a grammar's, or calls, whose
 * arguments follow their tools' schemas.
 */
final class TurnGrammar {
    /** What came before a turn. */
    enum After {
        /** A question. */
        INPUT,
        /** Results of tools: the turn may not say nothing. */
        RESULTS,
        /** Results of calls that had been made before, which are the same again: the turn has to answer in words. */
        REPEATS
    }

    private final Tokenizer tokenizer;
    private final GrammarCompiler grammars;
    private final MessageFormat format;
    private final ChatReplyConfig config;
    private final int[] ends;

    /** @param ends tokens that end a reply */
    TurnGrammar(
            Tokenizer tokenizer, GrammarCompiler grammars, MessageFormat format, int[] ends, ChatReplyConfig config) {
        this.tokenizer = tokenizer;
        this.grammars = grammars;
        this.format = format;
        this.config = config;
        this.ends = ends;
    }

    /** Keywords of the grammar that the reply may violate. */
    List<String> unenforced() {
        Grammar grammar = config.grammar();
        return grammar == null
                ? List.of()
                : grammars.compile(Syntax.of(grammar), config.lenient()).unenforced();
    }

    /**
     * What the turn's first token may be, and so on.
     *
     * @param prompt as rendered
     * @param tools that the model is told of
     * @param left most tokens of the turn
     * @throws UzuException.GrammarUnsupported for a grammar that can't be enforced
     * @throws UzuException.GrammarDeadEnd when the tokens left don't suffice
     */
    Constraint constraint(String prompt, List<ToolDeclaration> tools, ToolChoice choice, After after, int left) {
        if (left < 1) {
            return Constraint.NONE;
        }
        Syntax syntax = syntax(tools, choice, after);
        Reasoning reasoning = format.reasoning();
        Opening opening = format.opening(prompt);
        Integer limit = config.reasoningTokenLimit();
        // A free text that is cut at its limit says so: it isn't led to an end that looks like one.
        boolean steered = config.grammar() != null || isRequired(choice);
        if (reasoning == null || opening == Opening.CLOSED) {
            return syntax == null ? Constraint.NONE : start(compile(syntax, tools), left, steered);
        }
        if (syntax == null && limit == null) {
            return Constraint.NONE;
        }
        Constraint free = Constraint.below(tokenizer.size());
        CompiledGrammar behind = syntax == null ? null : compile(Syntax.sequence(reasoning.gap(), syntax), tools);
        Thinking thinking = new Thinking(
                tokenizer,
                reasoning,
                ends,
                rest -> behind == null ? free : start(behind, rest, steered),
                syntax == null);
        int most = limit == null ? Integer.MAX_VALUE : limit;
        if (behind != null && steered) {
            most = Math.min(most, left - needed(behind, left) - thinking.forcedTokens() - 1);
        }
        if (opening == Opening.OPEN) {
            return thinking.inside(most, left);
        }
        Constraint plain = syntax == null ? free : start(compile(syntax, tools), left, steered);
        // Where there's no room to think it isn't begun.
        return most < 0 ? plain : thinking.maybe(plain, most, left);
    }

    private static boolean isRequired(ToolChoice choice) {
        return choice instanceof ToolChoice.Required || choice instanceof ToolChoice.Named;
    }

    private static Constraint start(CompiledGrammar grammar, int left, boolean steered) {
        return grammar.start(steered ? left : Integer.MAX_VALUE);
    }

    /** Tokens that the shortest answer takes. */
    private static int needed(CompiledGrammar grammar, int left) {
        int enough = left;
        int tooFew = 0;
        grammar.start(left);
        while (enough - tooFew > 1) {
            int middle = (enough + tooFew) >>> 1;
            try {
                grammar.start(middle);
                enough = middle;
            } catch (UzuException.GrammarDeadEnd tooShort) {
                tooFew = middle;
            }
        }
        return enough;
    }

    /** Null where everything may come. */
    private @Nullable Syntax syntax(List<ToolDeclaration> tools, ToolChoice choice, After after) {
        Grammar grammar = config.grammar();
        if (tools.isEmpty()) {
            return grammar != null ? answer(grammar) : after == After.REPEATS ? format.words() : null;
        }
        if (grammar == null || isRequired(choice)) {
            return format.calls(tools, new CallRules(choice, config.parallelToolCalls(), true, after == After.INPUT));
        }
        CallRules calls = new CallRules(new ToolChoice.Required(), config.parallelToolCalls(), true, true);
        return Syntax.choice(answer(grammar), format.calls(tools, calls));
    }

    /** An answer within its message: some formats have a header before it. */
    private Syntax answer(Grammar grammar) {
        return format.answer(Syntax.of(grammar));
    }

    /** Schemas of tools are enforced as far as they can be: arguments are checked before the call in any case. */
    private CompiledGrammar compile(Syntax syntax, List<ToolDeclaration> tools) {
        if (tools.isEmpty()) {
            return grammars.compile(syntax, config.lenient());
        }
        unenforced(); // refuses what the grammar alone has in it
        return grammars.compile(syntax, true);
    }
}
