package uzu.chat.parse;

import org.jspecify.annotations.Nullable;

/**
 * A JSON object where a text could start, in a Markdown fence or without one: a call if it names a declared tool, else
 * text. Nothing is shown before that is known.
 */
final class BareCall implements Part {
    private static final String FENCE = "```";

    private final boolean fenced;
    private final FreeText after;
    private ObjectCall object = ObjectCall.ofDeclaredTool();
    private boolean whole;

    private BareCall(boolean fenced, FreeText after) {
        this.fenced = fenced;
        this.after = after;
    }

    /** {@code text} when more is needed to see what starts; null for what surely is no call. */
    static @Nullable Part start(Input input, int spaces, Blocks blocks, FreeText text) {
        int at = spaces;
        boolean fenced = false;
        switch (input.match(FENCE, at)) {
            case YES -> {
                fenced = true;
                at += FENCE.length();
                while (at < input.length() && Character.isLetter(input.charAt(at))) {
                    at++;
                }
                at += input.spaces(at);
            }
            case MAYBE -> {
                return text;
            }
            case NO -> {}
        }
        if (at == input.length()) {
            return input.isEnded() ? null : text;
        }
        if (input.charAt(at) != '{') {
            return null;
        }
        if (at + 1 == input.length() && !input.isEnded()) {
            return text;
        }
        // The template of Qwen 2.5 Coder shows calls with their braces doubled, and so the model writes some.
        if (at + 1 < input.length() && input.charAt(at + 1) == '{') {
            at++;
        }
        blocks.openDoubtfulCall();
        blocks.raw(input.take(at));
        return new BareCall(fenced, text);
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = whole ? behind(input, blocks) : object(input, blocks);
            if (next != null) {
                return next;
            }
        }
        if (input.isEnded()) {
            return whole ? leave(blocks) : fail(blocks);
        }
        return this;
    }

    private @Nullable Part object(Input input, Blocks blocks) {
        char c = input.takeOne();
        blocks.raw(c);
        switch (object.accept(c, blocks)) {
            case MORE -> {}
            case CALL -> {
                blocks.finishCall();
                blocks.openDoubtfulCall();
                whole = true;
            }
            case NO_CALL -> {
                return fail(blocks);
            }
        }
        return null;
    }

    private Part fail(Blocks blocks) {
        if (blocks.isAnnounced()) {
            blocks.failCall();
        } else {
            blocks.failCallAsText();
        }
        return after;
    }

    /** Behind a call: another one, the fence's end, or the text. */
    private @Nullable Part behind(Input input, Blocks blocks) {
        char c = input.charAt(0);
        if (c == '{') {
            if (input.length() == 1 && !input.isEnded()) {
                return this;
            }
            if (input.length() > 1 && input.charAt(1) == '{') {
                blocks.raw(input.takeOne());
            }
            object = ObjectCall.ofDeclaredTool();
            whole = false;
            return null;
        }
        if (Character.isWhitespace(c) || c == ',' || c == ';' || c == '}') {
            input.skip(1);
            return null;
        }
        if (!fenced) {
            return leave(blocks);
        }
        return switch (input.match(FENCE, 0)) {
            case YES -> {
                input.skip(FENCE.length());
                yield leave(blocks);
            }
            case MAYBE -> this;
            case NO -> leave(blocks);
        };
    }

    private Part leave(Blocks blocks) {
        blocks.dropCall();
        return after.anew();
    }
}
