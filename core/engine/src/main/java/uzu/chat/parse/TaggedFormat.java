package uzu.chat.parse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.grammar.Syntax;

/** Reasoning in tags, then text, and calls behind their markers. */
record TaggedFormat(String name, @Nullable Reasoning reasoning, CallFormat calls) implements MessageFormat {
    @Override
    public boolean isGeneric() {
        return calls instanceof GenericCalls;
    }

    @Override
    public Opening opening(String renderedPrompt) {
        if (reasoning == null) {
            return Opening.FREE;
        }
        String prompt = renderedPrompt.stripTrailing();
        Opening told = calls.opening(prompt);
        if (told != null) {
            return told;
        }
        for (String mark : reasoning.dropped()) {
            if (prompt.endsWith(mark)) {
                prompt = prompt.substring(0, prompt.length() - mark.length()).stripTrailing();
            }
        }
        return prompt.endsWith(reasoning.open().strip())
                ? Opening.OPEN
                : prompt.endsWith(reasoning.close().strip()) ? Opening.CLOSED : Opening.FREE;
    }

    @Override
    public Set<String> visible(boolean toolsDeclared) {
        Set<String> visible = new HashSet<>();
        if (reasoning != null) {
            visible.addAll(reasoning.visible());
        }
        if (toolsDeclared) {
            visible.addAll(calls.visible());
        }
        return visible;
    }

    @Override
    public Syntax calls(List<ToolDeclaration> tools, CallRules rules) {
        List<Syntax> any = Choices.of(tools, rules.choice()).stream()
                .map(tool -> calls.call(new CallArguments(tool, rules.constrainedArguments())))
                .toList();
        Syntax section = calls.section(any.size() == 1 ? any.getFirst() : new Syntax.Choice(any), rules.parallel());
        return switch (rules.choice()) {
            case ToolChoice.None none -> words();
            case ToolChoice.Auto auto ->
                calls.mayReplaceText() ? Syntax.choice(text(rules), section) : textOrCalls(section, tools, rules);
            case ToolChoice.Required required -> section;
            case ToolChoice.Named named -> section;
        };
    }

    /** Small models like bare calls: these follow their schema too. */
    private Syntax textOrCalls(Syntax section, List<ToolDeclaration> tools, CallRules rules) {
        List<Syntax> ways = new ArrayList<>();
        ways.add(Syntax.sequence(text(rules), Syntax.optional(section)));
        if (!rules.maySayNothing()) {
            ways.add(Syntax.sequence(CallSyntax.BLANK, section));
        }
        for (ToolDeclaration tool : tools) {
            Syntax bare = calls.bare(new CallArguments(tool, rules.constrainedArguments()));
            if (bare != null) {
                ways.add(bare);
            }
        }
        return new Syntax.Choice(ways);
    }

    // Another bare object could be read as a call, whose arguments no grammar had seen.
    private Syntax text(CallRules rules) {
        Syntax object = Syntax.sequence(Syntax.regex("[ \\n\\r\\t]*\\{"), Syntax.without());
        Syntax text = calls.mayBeBare() ? new Syntax.Except(calls.text(), object) : calls.text();
        return rules.maySayNothing() ? text : new Syntax.Except(text, CallSyntax.BLANK);
    }

    @Override
    public Syntax words() {
        return calls.answer(CallSyntax.words(calls.markers()));
    }

    @Override
    public Syntax answer(Syntax form) {
        return calls.answer(form);
    }

    @Override
    public MessageParser parser(String renderedPrompt, List<ToolDeclaration> tools) {
        Tools declared = new Tools(tools);
        Blocks blocks = new Blocks(declared, calls.identifiers(renderedPrompt));
        CallFormat format = declared.isEmpty() ? null : calls;
        FreeText text = new FreeText(reasoning, format);
        Part first = text;
        if (reasoning != null) {
            Opening opening = opening(renderedPrompt);
            if (opening != Opening.FREE) {
                blocks.border();
            }
            first = opening == Opening.OPEN ? new Thoughts(reasoning, format, text) : text;
        }
        return new MessageParser(blocks, first);
    }
}
