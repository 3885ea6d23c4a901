package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads calls that are a head and then a JSON object, each between marks or up to the object's end. */
final class HeadCalls implements Part {
    private static final String FENCE = "```";

    /**
     * How the calls are marked.
     *
     * @param callOpen before each head; empty: the head follows the marker of the section, which is written again for
     *     each call
     * @param callClose behind the object; empty: nothing
     * @param close behind all calls; empty: nothing
     * @param head what the text up to the object says; null: nothing that is a call
     */
    record Shape(String callOpen, String callClose, String close, Function<String, @Nullable Head> head) {}

    private enum State {
        BETWEEN,
        HEAD,
        ARGUMENTS,
        BEHIND,
        BROKEN
    }

    private final Shape shape;
    private final String marker;
    private final Part after;
    private final StringBuilder head = new StringBuilder();
    private final List<String> ends = new ArrayList<>();
    private JsonScanner scanner = new JsonScanner();
    private State state;
    /** Whether the section has held a call, or what looked like one. */
    private boolean some;

    HeadCalls(Shape shape, String marker, Part after) {
        this.shape = shape;
        this.marker = marker;
        this.after = after;
        this.state = shape.callOpen.isEmpty() || marker.equals(shape.callOpen) ? State.HEAD : State.BETWEEN;
        ends.add("{");
        for (String end : List.of(shape.callClose, shape.close)) {
            if (!end.isEmpty()) {
                ends.add(end);
            }
        }
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = switch (state) {
                case BETWEEN -> between(input, blocks);
                case HEAD -> head(input, blocks);
                case ARGUMENTS -> arguments(input, blocks);
                case BEHIND -> behind(input, blocks);
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

    private @Nullable Part between(Input input, Blocks blocks) {
        if (Character.isWhitespace(input.charAt(0))) {
            blocks.raw(input.takeOne());
            return null;
        }
        String open = shape.callOpen.isEmpty() ? marker : shape.callOpen;
        switch (input.match(open, 0)) {
            case YES -> {
                blocks.raw(input.take(open.length()));
                state = State.HEAD;
                return null;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {}
        }
        if (shape.close.isEmpty()) {
            return leave(blocks);
        }
        switch (input.match(shape.close, 0)) {
            case YES -> {
                blocks.raw(input.take(shape.close.length()));
                return leave(blocks);
            }
            case MAYBE -> {
                return this;
            }
            case NO -> state = State.BROKEN;
        }
        return null;
    }

    private @Nullable Part head(Input input, Blocks blocks) {
        Input.Found found = input.find(ends, 0);
        String more = input.take(found.at());
        head.append(more);
        blocks.raw(more);
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        Head known = shape.head.apply(head.toString());
        head.setLength(0);
        if (known == null) {
            state = State.BROKEN;
            return null;
        }
        blocks.announce(known.identifier(), known.name());
        if (found.marker().equals("{")) {
            state = State.ARGUMENTS;
            scanner = new JsonScanner();
        } else {
            blocks.arguments("{}");
            finish(blocks);
        }
        return null;
    }

    private void finish(Blocks blocks) {
        blocks.finishCall();
        blocks.openDoubtfulCall();
        some = true;
        state = State.BEHIND;
    }

    private @Nullable Part arguments(Input input, Blocks blocks) {
        char c = input.takeOne();
        blocks.raw(c);
        if (!scanner.accept(c)) {
            state = State.BROKEN;
            return null;
        }
        blocks.arguments(scanner.written(c));
        if (scanner.isWhole()) {
            finish(blocks);
        }
        return null;
    }

    /** Behind the object: a fence's end, stray braces, the closing mark. */
    private @Nullable Part behind(Input input, Blocks blocks) {
        if (shape.callClose.isEmpty()) {
            state = State.BETWEEN;
            return null;
        }
        if (Character.isWhitespace(input.charAt(0)) || input.charAt(0) == '}') {
            input.skip(1);
            return null;
        }
        Input.Match fence = input.match(FENCE, 0);
        Input.Match close = input.match(shape.callClose, 0);
        if (fence == Input.Match.YES) {
            input.skip(FENCE.length());
        } else if (close == Input.Match.YES) {
            input.skip(shape.callClose.length());
            state = State.BETWEEN;
        } else if (fence == Input.Match.MAYBE || close == Input.Match.MAYBE) {
            return this;
        } else {
            state = State.BETWEEN;
        }
        return null;
    }

    private Part leave(Blocks blocks) {
        if (some) {
            blocks.dropCall();
        } else {
            blocks.failCall();
        }
        return after;
    }

    /** Up to the end of the call, or of all calls. */
    private @Nullable Part broken(Input input, Blocks blocks) {
        List<String> marks = ends.subList(1, ends.size());
        if (marks.isEmpty()) {
            blocks.raw(input.takeAll());
            return null;
        }
        Input.Found found = input.find(marks, 0);
        blocks.raw(input.take(found.at()));
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        blocks.raw(input.take(found.marker().length()));
        blocks.failCall();
        if (found.marker().equals(shape.close)) {
            return after;
        }
        some = true;
        blocks.openDoubtfulCall();
        state = State.BETWEEN;
        return null;
    }
}
