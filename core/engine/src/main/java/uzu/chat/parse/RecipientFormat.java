package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.grammar.Syntax;

/**
 * Functionary 3.2: a reply is pieces, each to a recipient on a line of its own: {@code >>>all} and a text, {@code
 * >>>name} and a function's arguments. The prompt ends with the first {@code >>>}.
 */
final class RecipientFormat implements MessageFormat {
    static final String NAME = "functionary-v3.2";
    /** What its templates say of it. */
    static final String MARK = ">>>${recipient}";

    private static final String NEXT = ">>>";
    private static final String EVERYBODY = "all";
    private static final String PYTHON = "python";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isGeneric() {
        return false;
    }

    @Override
    public @Nullable Reasoning reasoning() {
        return null;
    }

    @Override
    public Opening opening(String renderedPrompt) {
        return Opening.FREE;
    }

    @Override
    public Set<String> visible(boolean toolsDeclared) {
        return Set.of();
    }

    @Override
    public Syntax calls(List<ToolDeclaration> tools, CallRules rules) {
        List<Syntax> any = Choices.of(tools, rules.choice()).stream()
                .map(tool -> call(new CallArguments(tool, rules.constrainedArguments())))
                .toList();
        Syntax calls = CallSyntax.calls(new Syntax.Choice(any), Syntax.literal(NEXT), rules.parallel());
        Syntax content = new Syntax.Without(List.of(NEXT));
        Syntax text = answer(rules.maySayNothing() ? content : new Syntax.Except(content, CallSyntax.BLANK));
        return switch (rules.choice()) {
            case ToolChoice.None none -> words();
            case ToolChoice.Auto auto ->
                Syntax.choice(
                        Syntax.sequence(text, Syntax.optional(Syntax.sequence(Syntax.literal(NEXT), calls))), calls);
            case ToolChoice.Required required -> calls;
            case ToolChoice.Named named -> calls;
        };
    }

    private static Syntax call(CallArguments arguments) {
        return Syntax.sequence(Syntax.literal(arguments.name() + "\n"), arguments.json());
    }

    @Override
    public Syntax words() {
        return answer(CallSyntax.words(List.of(NEXT)));
    }

    @Override
    public Syntax answer(Syntax form) {
        return Syntax.sequence(Syntax.literal(EVERYBODY + "\n"), form);
    }

    @Override
    public MessageParser parser(String renderedPrompt, List<ToolDeclaration> tools) {
        Blocks blocks = new Blocks(new Tools(tools), new Identifiers("call_", 24, renderedPrompt));
        return new MessageParser(blocks, new Recipient());
    }

    /** The line that says to whom a piece is; a model that forgot it has written a text. */
    private static final class Recipient implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            Input.Found line = input.find(List.of("\n"), 0);
            int end = line.marker() == null ? input.length() : line.at();
            StringBuilder read = new StringBuilder();
            for (int i = 0; i < end; i++) {
                read.append(input.charAt(i));
            }
            String recipient = read.toString().strip();
            if (line.marker() == null && !input.isEnded() && mayBecomeOne(recipient, blocks)) {
                return this;
            }
            boolean known = recipient.equals(EVERYBODY) || blocks.tools().has(recipient);
            if (line.marker() == null && input.isEmpty() || !known) {
                return input.isEmpty() ? this : new Text();
            }
            input.skip(line.marker() == null ? end : end + 1);
            if (recipient.equals(EVERYBODY)) {
                return new Text();
            }
            blocks.openCall(NEXT + recipient + "\n");
            return new Call(recipient);
        }

        private static boolean mayBecomeOne(String begun, Blocks blocks) {
            return EVERYBODY.startsWith(begun) || blocks.tools().isBeginning(begun);
        }
    }

    private static final class Text implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            Input.Found found = input.find(List.of(NEXT), 0);
            blocks.text(input.take(found.at()));
            if (found.marker() == null) {
                return this;
            }
            input.skip(NEXT.length());
            blocks.border();
            return new Recipient();
        }
    }

    private static final class Call implements Part {
        private final String name;
        private final ArgumentsReader arguments;
        private final StringBuilder code = new StringBuilder();

        Call(String name) {
            this.name = name;
            arguments = new ArgumentsReader(name);
        }

        @Override
        public Part read(Input input, Blocks blocks) {
            arguments.read(input, blocks);
            if (arguments.needsMore()) {
                if (input.isEnded()) {
                    blocks.failCall();
                }
                return input.isEnded() ? new Text() : this;
            }
            return end(input, blocks);
        }

        /** Up to the next recipient: behind the arguments is nothing; what is none is code, or no call. */
        private Part end(Input input, Blocks blocks) {
            Input.Found found = input.find(List.of(NEXT), 0);
            String more = input.take(found.at());
            code.append(more);
            blocks.raw(more);
            if (found.marker() == null && !input.isEnded()) {
                return this;
            }
            if (!arguments.isBroken()) {
                blocks.finishCall();
            } else if (!arguments.isStarted() && name.equals(PYTHON)) {
                blocks.announce(null, name);
                blocks.arguments("{\"code\": " + JsonText.quoted(code.toString().strip()) + "}");
                blocks.finishCall();
            } else {
                blocks.failCall();
            }
            if (found.marker() == null) {
                return new Text();
            }
            input.skip(NEXT.length());
            return new Recipient();
        }
    }
}
