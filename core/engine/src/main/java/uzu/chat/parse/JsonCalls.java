package uzu.chat.parse;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads calls that are JSON objects, alone, one behind another or in an array, up to a closing tag or, without one, to
 * the value's end.
 */
final class JsonCalls implements Part {
    private enum State {
        VALUE,
        OBJECT,
        BETWEEN,
        BROKEN
    }

    private final String open;
    private final @Nullable String close;
    private final CallKeys keys;
    private final Part after;
    private State state = State.VALUE;
    private ObjectCall object;
    private boolean inArray;

    /**
     * @param open the marker, which may follow again without {@code close}
     * @param close null: the calls end with the array, or with the object and white space
     */
    JsonCalls(String open, @Nullable String close, CallKeys keys, Part after) {
        this.open = open;
        this.close = close;
        this.keys = keys;
        this.after = after;
        this.object = new ObjectCall(keys);
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = switch (state) {
                case VALUE -> start(input, blocks);
                case OBJECT -> object(input, blocks);
                case BETWEEN -> between(input, blocks);
                case BROKEN -> broken(input, blocks);
            };
            if (next != null) {
                return next;
            }
        }
        if (input.isEnded() && blocks.hasCall()) {
            blocks.failCall();
        }
        return this;
    }

    /** This: more text is needed; null: go on; else what reads on. */
    private @Nullable Part start(Input input, Blocks blocks) {
        char c = input.charAt(0);
        if (c == '{') {
            if (input.length() == 1 && !input.isEnded()) {
                return this;
            }
            if (input.length() > 1 && input.charAt(1) == '{') {
                blocks.raw(input.takeOne());
            }
            state = State.OBJECT;
            object = new ObjectCall(keys);
            return null;
        }
        if (c == '[' && !inArray) {
            inArray = true;
        } else if (c == ']' && inArray) {
            state = State.BETWEEN;
            return null;
        } else if (!Character.isWhitespace(c)) {
            state = State.BROKEN;
            return null;
        }
        blocks.raw(input.takeOne());
        return null;
    }

    private @Nullable Part object(Input input, Blocks blocks) {
        char c = input.takeOne();
        blocks.raw(c);
        switch (object.accept(c, blocks)) {
            case MORE -> {}
            case CALL -> {
                blocks.finishCall();
                blocks.openDoubtfulCall();
                state = State.BETWEEN;
            }
            case NO_CALL -> state = State.BROKEN;
        }
        return null;
    }

    /** Behind a call: a comma, the array's end, a stray brace, another call, the closing tag, or none of them. */
    private @Nullable Part between(Input input, Blocks blocks) {
        if (close != null) {
            switch (input.match(close, 0)) {
                case YES -> {
                    input.skip(close.length());
                    blocks.dropCall();
                    return after;
                }
                case MAYBE -> {
                    return this;
                }
                case NO -> {}
            }
        }
        switch (input.match(open, 0)) {
            case YES -> {
                input.skip(open.length());
                blocks.dropCall();
                blocks.openCall(open);
                state = State.VALUE;
                inArray = false;
                return null;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {}
        }
        char c = input.charAt(0);
        if (c == '{') {
            state = State.VALUE;
            return null;
        }
        if (c == ']' && inArray) {
            input.skip(1);
            inArray = false;
            if (close == null) {
                blocks.dropCall();
                return after;
            }
            return null;
        }
        if (Character.isWhitespace(c) || c == ',' || c == ';' || close != null && (c == '}' || c == ']')) {
            input.skip(1);
            return null;
        }
        if (close == null && !inArray) {
            blocks.dropCall();
            return after;
        }
        state = State.BROKEN;
        return null;
    }

    private @Nullable Part broken(Input input, Blocks blocks) {
        if (close == null) {
            blocks.raw(input.takeAll());
            return null;
        }
        Input.Found found = input.find(List.of(close), 0);
        blocks.raw(input.take(found.at()));
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        blocks.raw(input.take(close.length()));
        blocks.failCall();
        return after;
    }
}
