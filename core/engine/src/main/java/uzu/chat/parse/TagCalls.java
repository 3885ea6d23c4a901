package uzu.chat.parse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads calls whose arguments stand in tags of their own, as plain text that the tool's schema gives a type. A value
 * ends only where its closing tag is followed by what may follow it, so that texts may hold tags.
 */
final class TagCalls implements Part {
    /**
     * The tags.
     *
     * @param close behind all calls of a section
     * @param callOpen before a name; empty: the name follows what opened the section
     * @param nameEnd what ends the name besides what may follow; between its words attributes may stand
     * @param keyOpen before a parameter's name
     * @param keyEnd between a parameter's name and its value, white space between its words being free
     * @param padded whether a line end behind the opening tag and one before the closing tag are no part of a value
     * @param cdata whether values may stand in XML's {@code <![CDATA[…]]>}
     */
    record Tags(
            String close,
            String callOpen,
            List<String> nameEnd,
            String callClose,
            String keyOpen,
            List<String> keyEnd,
            String valueClose,
            boolean padded,
            boolean cdata) {
        /** All of them. */
        Set<String> words() {
            Set<String> words = new HashSet<>(List.of(close, callOpen, callClose, keyOpen, valueClose));
            words.addAll(nameEnd);
            words.addAll(keyEnd);
            words.remove("");
            return words;
        }
    }

    private enum State {
        BETWEEN,
        NAME,
        INSIDE,
        KEY,
        VALUE,
        BROKEN
    }

    private final Tags tags;
    private final boolean inCall;
    private final Part after;
    private final StringBuilder name = new StringBuilder();
    private final List<String> nameEnds = new ArrayList<>();
    private State state;
    private String key = "";
    private int parameters;
    private boolean some;
    private TagValue value;

    /** @param inCall whether the marker was that of a call, not of a section */
    TagCalls(Tags tags, boolean inCall, Part after) {
        this.tags = tags;
        this.inCall = inCall;
        this.after = after;
        this.state = inCall || tags.callOpen.isEmpty() ? State.NAME : State.BETWEEN;
        this.value = new TagValue(tags, ValueType.of(null, null));
        nameEnds.add(tags.keyOpen);
        nameEnds.add(tags.callClose);
        if (!tags.nameEnd.isEmpty()) {
            nameEnds.add(tags.nameEnd.getFirst());
        }
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = switch (state) {
                case BETWEEN -> between(input, blocks);
                case NAME -> name(input, blocks);
                case INSIDE -> inside(input, blocks);
                case KEY -> key(input, blocks);
                case VALUE -> value(input, blocks);
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
        if (!tags.callOpen.isEmpty()) {
            switch (input.match(tags.callOpen, 0)) {
                case YES -> {
                    blocks.raw(input.take(tags.callOpen.length()));
                    state = State.NAME;
                    return null;
                }
                case MAYBE -> {
                    return this;
                }
                case NO -> {}
            }
        }
        switch (input.match(tags.close, 0)) {
            case YES -> {
                blocks.raw(input.take(tags.close.length()));
                return leave(blocks);
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {
                if (inCall) {
                    return leave(blocks);
                }
                state = State.BROKEN;
            }
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

    private @Nullable Part name(Input input, Blocks blocks) {
        Input.Found found = input.find(nameEnds, 0);
        String more = input.take(found.at());
        name.append(more);
        blocks.raw(more);
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        boolean ended = !tags.nameEnd.isEmpty() && found.marker().equals(tags.nameEnd.getFirst());
        int behind = ended ? behind(tags.nameEnd, input) : 0;
        if (behind < 0) {
            return wait(input, blocks);
        }
        Head head = Head.ofName(name.toString());
        name.setLength(0);
        if (head == null) {
            state = State.BROKEN;
            return null;
        }
        blocks.raw(input.take(behind));
        blocks.announce(null, head.name());
        parameters = 0;
        state = State.INSIDE;
        return null;
    }

    private @Nullable Part inside(Input input, Blocks blocks) {
        if (Character.isWhitespace(input.charAt(0))) {
            blocks.raw(input.takeOne());
            return null;
        }
        switch (input.match(tags.keyOpen, 0)) {
            case YES -> {
                blocks.raw(input.take(tags.keyOpen.length()));
                state = State.KEY;
                return null;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {}
        }
        return switch (input.match(tags.callClose, 0)) {
            case YES -> {
                blocks.raw(input.take(tags.callClose.length()));
                blocks.arguments(parameters == 0 ? "{}" : "}");
                blocks.finishCall();
                blocks.openDoubtfulCall();
                some = true;
                state = State.BETWEEN;
                yield tags.callClose.equals(tags.close) ? leave(blocks) : null;
            }
            case MAYBE -> this;
            case NO -> {
                state = State.BROKEN;
                yield null;
            }
        };
    }

    /** Up to the last word of {@code keyEnd}; in between attributes may stand. */
    private @Nullable Part key(Input input, Blocks blocks) {
        int behind = behind(tags.keyEnd, input);
        if (behind < 0) {
            return wait(input, blocks);
        }
        Input.Found first = input.find(List.of(tags.keyEnd.getFirst()), 0);
        String whole = input.take(behind);
        blocks.raw(whole);
        key = whole.substring(0, first.at()).strip();
        String attributes = whole.substring(first.at());
        JsonNode root = blocks.tools().schema(blocks.calledName());
        JsonNode schema = root == null ? null : root.path("properties").get(key);
        boolean text = attributes.contains("string=\"true\"") || attributes.contains("type=\"string\"");
        value = new TagValue(tags, text ? ValueType.TEXT : ValueType.of(schema, root));
        blocks.arguments((parameters++ == 0 ? "{" : ", ") + JsonText.quoted(key) + ": ");
        state = State.VALUE;
        return null;
    }

    /** Characters up to behind the last of the words, one after another; -1: it isn't there yet. */
    private static int behind(List<String> words, Input input) {
        int behind = 0;
        for (String word : words) {
            Input.Found next = input.find(List.of(word), behind);
            if (next.marker() == null) {
                return -1;
            }
            behind = next.at() + word.length();
        }
        return behind;
    }

    private @Nullable Part wait(Input input, Blocks blocks) {
        if (input.isEnded()) {
            blocks.raw(input.takeAll());
            return null;
        }
        return this;
    }

    private @Nullable Part value(Input input, Blocks blocks) {
        if (value.read(input, blocks)) {
            state = State.INSIDE;
            return null;
        }
        return input.isEmpty() ? null : this;
    }

    private @Nullable Part broken(Input input, Blocks blocks) {
        String end = inCall ? tags.callClose : tags.close;
        Input.Found found = input.find(List.of(end), 0);
        blocks.raw(input.take(found.at()));
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        blocks.raw(input.take(end.length()));
        blocks.failCall();
        return after;
    }
}
