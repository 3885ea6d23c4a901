package uzu.chat.parse;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one call that is a JSON object with a name and arguments, in whatever order. */
final class ObjectCall {
    enum Step {
        /** The object goes on. */
        MORE,
        /** The object is whole and is a call. */
        CALL,
        /** It is no call. */
        NO_CALL
    }

    private final CallKeys keys;
    private final boolean declaredOnly;
    private final JsonScanner scanner = new JsonScanner();
    private final StringBuilder key = new StringBuilder();
    private final StringBuilder value = new StringBuilder();
    /** Arguments read before the call could be announced. */
    private final StringBuilder early = new StringBuilder();

    private String field = "";
    private @Nullable String name;
    private @Nullable String identifier;
    private boolean hasArguments;
    private boolean streams;

    ObjectCall(CallKeys keys) {
        this(keys, false);
    }

    private ObjectCall(CallKeys keys, boolean declaredOnly) {
        this.keys = keys;
        this.declaredOnly = declaredOnly;
    }

    /** A call only if it has the name of a declared tool, and arguments: nothing else tells it from an answer in JSON. */
    static ObjectCall ofDeclaredTool() {
        return new ObjectCall(CallKeys.USUAL, true);
    }

    /** @param c the next character of the object, which is in the call's raw text already */
    Step accept(char c, Blocks blocks) {
        if (!scanner.accept(c)) {
            return Step.NO_CALL;
        }
        switch (scanner.role()) {
            case KEY -> key.append(c);
            case VALUE -> value(c, blocks);
            case STRUCTURE -> {
                if (c == ':') {
                    startValue();
                    if (declaredOnly && !mayBeOfCall(field)) {
                        return Step.NO_CALL;
                    }
                } else if (c != '{' && !endValue(blocks)) {
                    return Step.NO_CALL;
                }
            }
            case SPACE -> {}
        }
        return scanner.isWhole() ? whole(blocks) : Step.MORE;
    }

    /** An answer in JSON is shown as it comes, as soon as it has a key that no call has. */
    private boolean mayBeOfCall(String key) {
        return keys.isName(key) || keys.isArguments(key) || key.equals("id") || key.equals("type");
    }

    private void startValue() {
        field = unquoted(key);
        key.setLength(0);
        value.setLength(0);
        streams = false;
        if (keys.name().isEmpty() && name == null) {
            name = field;
        }
    }

    private void value(char c, Blocks blocks) {
        if (value.isEmpty() && c == '{' && keys.isArguments(field) && !hasArguments) {
            streams = true;
            hasArguments = true;
            announce(blocks, false);
        }
        if (streams) {
            write(scanner.written(c), blocks);
        }
        if (!streams || value.isEmpty()) {
            value.append(c);
        }
    }

    private void write(String json, Blocks blocks) {
        if (blocks.isAnnounced()) {
            blocks.arguments(json);
        } else {
            early.append(json);
        }
    }

    /** Whether the field just read fits a call. */
    private boolean endValue(Blocks blocks) {
        if (field.isEmpty()) {
            return true;
        }
        String read = value.toString();
        if (keys.isName(field)) {
            name = read.startsWith("\"") ? unquoted(value) : null;
            if (declaredOnly && (name == null || !blocks.tools().has(name))) {
                return false;
            }
        } else if (keys.isIdentifier(field)) {
            identifier = read.startsWith("\"") ? unquoted(value) : read;
        } else if (keys.isArguments(field) && !streams && !hasArguments) {
            String object = object(read);
            if (object == null) {
                return false;
            }
            hasArguments = true;
            early.append(object);
        }
        field = "";
        announce(blocks, false);
        return true;
    }

    /** Arguments that aren't an object: one in a string, or null for none. */
    private static @Nullable String object(String read) {
        if (read.equals("null")) {
            return "{}";
        }
        String inner = read.startsWith("\"") ? unquoted(new StringBuilder(read)).strip() : "";
        if (inner.isEmpty()) {
            return read.equals("\"\"") ? "{}" : null;
        }
        JsonNode parsed = JsonText.parse(inner);
        return parsed != null && parsed.isObject() ? inner : null;
    }

    private void announce(Blocks blocks, boolean last) {
        String known = name;
        if (known == null || known.isEmpty() || blocks.isAnnounced()) {
            return;
        }
        if (!last && !keys.identifier().isEmpty() && identifier == null) {
            return;
        }
        if (declaredOnly && !(hasArguments && blocks.tools().has(known))) {
            return;
        }
        blocks.announce(identifier, known);
        blocks.arguments(early.toString());
        early.setLength(0);
    }

    private Step whole(Blocks blocks) {
        announce(blocks, true);
        if (!blocks.isAnnounced()) {
            return Step.NO_CALL;
        }
        if (!hasArguments) {
            blocks.arguments("{}");
        } else if (!early.isEmpty()) {
            blocks.arguments(early.toString());
        }
        return Step.CALL;
    }

    private static String unquoted(StringBuilder string) {
        // What the scanner let pass may hold bare line ends, which JSON does not.
        StringBuilder clean = new StringBuilder();
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            clean.append(c < ' ' ? JsonText.escaped(c) : String.valueOf(c));
        }
        JsonNode text = JsonText.parse(clean.toString());
        return text == null ? "" : text.asString();
    }
}
