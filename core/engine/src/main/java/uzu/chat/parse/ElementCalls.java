package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads calls whose parameters are nested elements, each tag behind a mark. A parameter counts once it is whole. */
final class ElementCalls implements Part {
    private enum State {
        BETWEEN,
        NAME,
        INSIDE,
        VALUE,
        BROKEN
    }

    private static final int DEEPEST = 64;

    private final String mark;
    private final String close;
    private final String callOpen;
    private final String callClose;
    private final Part after;
    /** From a parameter inwards, those not closed. */
    private final List<Element> open = new ArrayList<>();

    private State state = State.BETWEEN;
    private int parameters;
    private boolean some;

    ElementCalls(String mark, String close, String callOpen, String callClose, Part after) {
        this.mark = mark;
        this.close = close;
        this.callOpen = callOpen;
        this.callClose = callClose;
        this.after = after;
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        while (!input.isEmpty()) {
            Part next = switch (state) {
                case BETWEEN -> between(input, blocks);
                case NAME -> name(input, blocks);
                case INSIDE -> inside(input, blocks);
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
        Input.Match call = input.match(callOpen, 0);
        Input.Match end = input.match(close, 0);
        if (call == Input.Match.YES) {
            blocks.raw(input.take(callOpen.length()));
            state = State.NAME;
        } else if (end == Input.Match.YES) {
            blocks.raw(input.take(close.length()));
            if (some) {
                blocks.dropCall();
            } else {
                blocks.failCall();
            }
            return after;
        } else if (call == Input.Match.MAYBE || end == Input.Match.MAYBE) {
            return this;
        } else {
            state = State.BROKEN;
        }
        return null;
    }

    private @Nullable Part name(Input input, Blocks blocks) {
        Input.Found found = input.find(List.of("\">"), 0);
        if (found.marker() == null && !input.isEnded()) {
            return this;
        }
        String name = input.take(found.at());
        blocks.raw(name);
        Head head = Head.ofName(name);
        if (found.marker() == null || head == null) {
            state = State.BROKEN;
            return null;
        }
        blocks.raw(input.take(2));
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
        switch (input.match(callClose, 0)) {
            case YES -> {
                blocks.raw(input.take(callClose.length()));
                blocks.arguments(parameters == 0 ? "{}" : "}");
                blocks.finishCall();
                blocks.openDoubtfulCall();
                some = true;
                state = State.BETWEEN;
                return null;
            }
            case MAYBE -> {
                return this;
            }
            case NO -> {}
        }
        if (input.match(mark, 0) == Input.Match.MAYBE) {
            return this;
        }
        if (input.match(mark, 0) == Input.Match.NO) {
            state = State.BROKEN;
            return null;
        }
        return tag(input, blocks);
    }

    private @Nullable Part value(Input input, Blocks blocks) {
        Input.Found found = input.find(List.of(mark), 0);
        String text = input.take(found.at());
        blocks.raw(text);
        open.getLast().text.append(text);
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        return tag(input, blocks);
    }

    /** A tag, whose mark is there: an element's start, or the end of the last one. */
    private @Nullable Part tag(Input input, Blocks blocks) {
        Input.Found end = input.find(List.of(">"), mark.length());
        if (end.marker() == null && !input.isEnded()) {
            return this;
        }
        String whole = input.take(end.marker() == null ? input.length() : end.at() + 1);
        blocks.raw(whole);
        String tag = whole.substring(mark.length());
        boolean closes = tag.startsWith("</");
        String name = tag.length() < 3 || !tag.endsWith(">") || tag.charAt(0) != '<'
                ? ""
                : tag.substring(closes ? 2 : 1, tag.length() - 1);
        if (!Head.isName(name) || open.size() == DEEPEST) {
            state = State.BROKEN;
        } else if (!closes) {
            Element element = new Element(name);
            if (!open.isEmpty()) {
                open.getLast().inner.add(element);
            }
            open.add(element);
            state = State.VALUE;
        } else if (open.isEmpty() || !open.getLast().name.equals(name)) {
            state = State.BROKEN;
        } else {
            Element ended = open.removeLast();
            if (open.isEmpty()) {
                write(ended, blocks);
                state = State.INSIDE;
            }
        }
        return null;
    }

    private void write(Element parameter, Blocks blocks) {
        JsonNode root = blocks.tools().schema(blocks.calledName());
        JsonNode schema = root == null ? null : root.path("properties").get(parameter.name);
        blocks.arguments((parameters++ == 0 ? "{" : ", ") + JsonText.quoted(parameter.name) + ": "
                + parameter.json(schema, root));
    }

    private @Nullable Part broken(Input input, Blocks blocks) {
        open.clear();
        Input.Found found = input.find(List.of(close), 0);
        blocks.raw(input.take(found.at()));
        if (found.marker() == null) {
            return input.isEmpty() ? null : this;
        }
        blocks.raw(input.take(close.length()));
        blocks.failCall();
        return after;
    }

    private static final class Element {
        private final String name;
        private final StringBuilder text = new StringBuilder();
        private final List<Element> inner = new ArrayList<>();

        Element(String name) {
            this.name = name;
        }

        /** With elements inside a list where the schema has one or, if it says nothing, all of them are items. */
        String json(@Nullable JsonNode given, @Nullable JsonNode root) {
            JsonNode schema = CallArguments.resolved(given, root);
            String type = schema == null ? "" : schema.path("type").asString("");
            if (inner.isEmpty()) {
                boolean empty = text.toString().isBlank();
                return empty && type.equals("array")
                        ? "[]"
                        : empty && type.equals("object")
                                ? "{}"
                                : ValueType.of(schema, root).json(text.toString());
            }
            boolean list = type.equals("array")
                    || !type.equals("object") && inner.stream().allMatch(element -> element.name.equals("item"));
            List<String> values = new ArrayList<>();
            for (Element element : inner) {
                JsonNode of = schema == null
                        ? null
                        : list ? schema.get("items") : schema.path("properties").get(element.name);
                String value = element.json(of, root);
                values.add(list ? value : JsonText.quoted(element.name) + ": " + value);
            }
            String all = String.join(", ", values);
            return list ? "[" + all + "]" : "{" + all + "}";
        }
    }
}
