package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.grammar.Syntax;

/**
 * gpt-oss: a reply is several messages, {@code <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final
 * <|message|>…}. What goes to a function has its name as recipient, in the channel or before it, and JSON as content.
 */
final class HarmonyFormat implements MessageFormat {
    static final String NAME = "harmony";

    private static final String CHANNEL = "<|channel|>";
    private static final String MESSAGE = "<|message|>";
    private static final String START = "<|start|>";
    private static final String CONSTRAIN = "<|constrain|>";
    private static final List<String> ENDS = List.of("<|end|>", "<|call|>", "<|return|>", START, CHANNEL);
    private static final String RECIPIENT = "to=";
    private static final String FUNCTIONS = "functions.";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean isGeneric() {
        return false;
    }

    @Override
    public Reasoning reasoning() {
        String next = START + "assistant";
        return new Reasoning(CHANNEL + "analysis" + MESSAGE, "<|end|>", "<|end|>" + next, Set.of(next));
    }

    @Override
    public Opening opening(String renderedPrompt) {
        return renderedPrompt.endsWith(CHANNEL + "analysis" + MESSAGE)
                ? Opening.OPEN
                : renderedPrompt.endsWith(MESSAGE) ? Opening.CLOSED : Opening.FREE;
    }

    // Without them analysis and answer could not be told apart, whether tools are declared or not.
    @Override
    public Set<String> visible(boolean toolsDeclared) {
        return Set.of(CHANNEL, MESSAGE, START, CONSTRAIN, "<|end|>", "<|call|>", "<|return|>");
    }

    // The text is what follows "assistant": the header of the next message, then its content.
    @Override
    public Syntax calls(List<ToolDeclaration> tools, CallRules rules) {
        List<Syntax> any = Choices.of(tools, rules.choice()).stream()
                .map(tool -> call(new CallArguments(tool, rules.constrainedArguments())))
                .toList();
        Syntax content = new Syntax.Without(ENDS);
        Syntax text = answer(rules.maySayNothing() ? content : new Syntax.Except(content, CallSyntax.BLANK));
        Syntax call = new Syntax.Choice(any);
        return switch (rules.choice()) {
            case ToolChoice.None none -> words();
            case ToolChoice.Auto auto -> Syntax.choice(text, call);
            case ToolChoice.Required required -> call;
            case ToolChoice.Named named -> call;
        };
    }

    private Syntax call(CallArguments arguments) {
        String head =
                CHANNEL + "commentary " + RECIPIENT + FUNCTIONS + arguments.name() + " " + CONSTRAIN + "json" + MESSAGE;
        return Syntax.sequence(CallSyntax.marked(head, visible(true)), arguments.json());
    }

    @Override
    public Syntax words() {
        return answer(CallSyntax.words(ENDS));
    }

    @Override
    public Syntax answer(Syntax form) {
        return Syntax.sequence(CallSyntax.marked(CHANNEL + "final" + MESSAGE, visible(true)), form);
    }

    @Override
    public MessageParser parser(String renderedPrompt, List<ToolDeclaration> tools) {
        Blocks blocks = new Blocks(new Tools(tools), new Identifiers("call_", 24, renderedPrompt));
        Part first = switch (opening(renderedPrompt)) {
            case OPEN -> new Body(Kind.REASONING);
            case CLOSED -> new Body(Kind.TEXT);
            case FREE -> new Header();
        };
        return new MessageParser(blocks, first);
    }

    private enum Kind {
        TEXT,
        REASONING
    }

    /** What stands between a message's start and its content. */
    private static final class Header implements Part {
        private static final List<String> STARTS = List.of(CHANNEL, START, MESSAGE, " to=", "to=", "assistant");
        private boolean begun;

        @Override
        public Part read(Input input, Blocks blocks) {
            if (!begun) {
                Input.Match any = Input.Match.NO;
                for (String start : STARTS) {
                    Input.Match match = input.match(start, 0);
                    any = match == Input.Match.NO || any == Input.Match.YES ? any : match;
                }
                if (any == Input.Match.MAYBE || input.isEmpty()) {
                    return this;
                }
                if (any == Input.Match.NO) {
                    return new Body(Kind.TEXT);
                }
                begun = true;
            }
            Input.Found found = input.find(List.of(MESSAGE), 0);
            if (found.marker() == null) {
                if (input.isEnded()) {
                    input.takeAll();
                }
                return this;
            }
            String header = input.take(found.at());
            input.skip(MESSAGE.length());
            return content(header, blocks);
        }

        private static Part content(String header, Blocks blocks) {
            String recipient = recipient(header);
            if (recipient != null && !recipient.equals("assistant") && !recipient.equals("user")) {
                blocks.openCall(header + MESSAGE);
                return new Call(recipient.startsWith(FUNCTIONS) ? recipient.substring(FUNCTIONS.length()) : recipient);
            }
            int channel = header.lastIndexOf(CHANNEL);
            boolean analysis = channel >= 0
                    && header.substring(channel + CHANNEL.length()).strip().startsWith("analysis");
            blocks.border();
            return new Body(analysis ? Kind.REASONING : Kind.TEXT);
        }

        private static @Nullable String recipient(String header) {
            int at = header.indexOf(RECIPIENT);
            if (at < 0) {
                return null;
            }
            int from = at + RECIPIENT.length();
            int to = from;
            while (to < header.length() && header.charAt(to) > ' ' && header.charAt(to) != '<') {
                to++;
            }
            String name = header.substring(from, to);
            return Head.isName(name) ? name : null;
        }
    }

    /** Goes behind a message; what ends one may start the next one's header. */
    private static Part next(Input input, String end) {
        if (!end.equals(CHANNEL)) {
            input.skip(end.length());
        }
        return new Header();
    }

    private record Body(Kind kind) implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            Input.Found found = input.find(ENDS, 0);
            String text = input.take(found.at());
            if (kind == Kind.TEXT) {
                blocks.text(text);
            } else {
                blocks.reasoning(text);
            }
            if (found.marker() == null) {
                return this;
            }
            blocks.border();
            return next(input, found.marker());
        }
    }

    /** A message to a function, whose content is its arguments. */
    private static final class Call implements Part {
        private final ArgumentsReader arguments;

        Call(String name) {
            arguments = new ArgumentsReader(name);
        }

        @Override
        public Part read(Input input, Blocks blocks) {
            arguments.read(input, blocks);
            if (!blocks.hasCall()) {
                throw new IllegalStateException("the call was closed before its message");
            }
            if (arguments.needsMore()) {
                if (input.isEnded()) {
                    blocks.failCall();
                    return new Header();
                }
                return this;
            }
            return end(input, blocks);
        }

        private Part end(Input input, Blocks blocks) {
            Input.Found found = input.find(ENDS, 0);
            blocks.raw(input.take(found.at()));
            if (found.marker() == null && !input.isEnded()) {
                return this;
            }
            if (arguments.isBroken()) {
                blocks.failCall();
            } else {
                blocks.finishCall();
            }
            return found.marker() == null ? new Header() : next(input, found.marker());
        }
    }
}
