package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.ChatContentBlock;
import uzu.ChatReplyDelta;

/**
 * What a reply has come to, as blocks and as what was added since the last look. White space that would end a block
 * waits until it is known whether the block goes on.
 */
final class Blocks {
    private enum Kind {
        TEXT,
        REASONING
    }

    private final Tools tools;
    private final Identifiers identifiers;
    private final List<ChatContentBlock> done = new ArrayList<>();

    private Kind kind = Kind.TEXT;
    private final StringBuilder current = new StringBuilder();
    private final StringBuilder spaces = new StringBuilder();
    private boolean trimsStart;
    private @Nullable Call call;
    private int announced;

    private final StringBuilder newText = new StringBuilder();
    private final StringBuilder newReasoning = new StringBuilder();
    private final List<NewCall> newCalls = new ArrayList<>();

    /** A call being read. */
    private static final class Call {
        final StringBuilder raw = new StringBuilder();
        final StringBuilder arguments = new StringBuilder();
        int index = -1;
        String identifier = "";
        String name = "";
        boolean doubtful;
        /** Arguments of calls made before that begin as this one's; while there are any, nobody is told of it. */
        final List<String> twins = new ArrayList<>();
    }

    /** What was added to a call. */
    private static final class NewCall {
        final int index;
        final String identifier;
        final String name;
        final StringBuilder arguments = new StringBuilder();

        NewCall(int index, String identifier, String name) {
            this.index = index;
            this.identifier = identifier;
            this.name = name;
        }

        ChatReplyDelta.ToolCallDelta delta() {
            return new ChatReplyDelta.ToolCallDelta(index, identifier, name, arguments.toString());
        }
    }

    Blocks(Tools tools, Identifiers identifiers) {
        this.tools = tools;
        this.identifiers = identifiers;
    }

    Tools tools() {
        return tools;
    }

    void text(String more) {
        append(Kind.TEXT, more);
    }

    void reasoning(String more) {
        append(Kind.REASONING, more);
    }

    private void append(Kind wanted, String more) {
        if (more.isEmpty()) {
            return;
        }
        if (kind != wanted) {
            close();
            kind = wanted;
        }
        int from = 0;
        if (trimsStart) {
            while (from < more.length() && Character.isWhitespace(more.charAt(from))) {
                from++;
            }
            if (from == more.length()) {
                return;
            }
            trimsStart = false;
        }
        int to = more.length();
        while (to > from && Character.isWhitespace(more.charAt(to - 1))) {
            to--;
        }
        if (to > from) {
            String certain = spaces + more.substring(from, to);
            spaces.setLength(0);
            current.append(certain);
            (kind == Kind.TEXT ? newText : newReasoning).append(certain);
        }
        spaces.append(more, to, more.length());
    }

    /** A border: white space on both sides of it is no part of the message. */
    void border() {
        spaces.setLength(0);
        close();
        trimsStart = true;
    }

    private void close() {
        flushSpaces();
        if (!current.isEmpty()) {
            done.add(block());
            current.setLength(0);
        }
    }

    private ChatContentBlock block() {
        String text = current.toString();
        return kind == Kind.TEXT ? new ChatContentBlock.Text(text) : new ChatContentBlock.Reasoning(text);
    }

    private void flushSpaces() {
        current.append(spaces);
        (kind == Kind.TEXT ? newText : newReasoning).append(spaces);
        spaces.setLength(0);
    }

    /** What follows may be a call, of which {@code raw} is the beginning. */
    void openCall(String raw) {
        border();
        Call opened = new Call();
        opened.raw.append(raw);
        call = opened;
    }

    /** What follows may be a call, or text as before: until that is known nothing is decided. */
    void openDoubtfulCall() {
        Call opened = new Call();
        opened.doubtful = true;
        call = opened;
    }

    boolean hasCall() {
        return call != null;
    }

    private Call call() {
        if (call == null) {
            throw new IllegalStateException("no call was opened");
        }
        return call;
    }

    /** Text of the call as the model wrote it. */
    void raw(String more) {
        call().raw.append(more);
    }

    void raw(char more) {
        call().raw.append(more);
    }

    /** The call's name is known. */
    void announce(@Nullable String identifier, String name) {
        Call named = call();
        border();
        named.doubtful = false;
        named.index = announced++;
        named.identifier = identifier == null || identifier.isEmpty() ? identifiers.of(named.index) : identifier;
        named.name = name;
        for (ChatContentBlock block : done) {
            if (block instanceof ChatContentBlock.ToolCall made && made.name().equals(name)) {
                named.twins.add(made.arguments());
            }
        }
        if (named.twins.isEmpty()) {
            tell(named);
        }
    }

    private void tell(Call named) {
        NewCall told = new NewCall(named.index, named.identifier, named.name);
        told.arguments.append(named.arguments);
        newCalls.add(told);
    }

    boolean isAnnounced() {
        return call != null && call.index >= 0;
    }

    /** The name of the call being read. */
    String calledName() {
        return call().name;
    }

    /** JSON text that goes on from the arguments so far. */
    void arguments(String json) {
        if (json.isEmpty()) {
            return;
        }
        Call named = call();
        int at = named.arguments.length();
        named.arguments.append(json);
        if (!named.twins.isEmpty()) {
            named.twins.removeIf(made -> !made.startsWith(json, at));
            if (named.twins.isEmpty()) {
                tell(named);
            }
            return;
        }
        int last = newCalls.size() - 1;
        if (last < 0 || newCalls.get(last).index != named.index) {
            newCalls.add(new NewCall(named.index, named.identifier, ""));
        }
        newCalls.getLast().arguments.append(json);
    }

    /** The call is whole. A reply's calls differ: one that was made before is left out. */
    void finishCall() {
        Call whole = call();
        if (whole.twins.stream().anyMatch(made -> made.length() == whole.arguments.length())) {
            announced--;
            call = null;
            return;
        }
        if (!whole.twins.isEmpty()) {
            tell(whole);
        }
        done.add(new ChatContentBlock.ToolCall(whole.identifier, whole.name, whole.arguments.toString()));
        call = null;
    }

    /** The call is none: its text is kept as a candidate. */
    void failCall() {
        if (!call().twins.isEmpty()) {
            announced--;
        }
        String raw = call().raw.toString();
        if (!raw.isBlank()) {
            done.add(new ChatContentBlock.ToolCallCandidate(raw));
        }
        call = null;
    }

    /** The call is none: its text is kept as text. */
    void failCallAsText() {
        String raw = call().raw.toString();
        call = null;
        text(raw);
    }

    /** Nothing of a call was in what was read since it was opened. */
    void dropCall() {
        call = null;
    }

    /** The reply is over: white space at its end belongs to it. */
    void end() {
        close();
    }

    /** All blocks so far; an unfinished call is a candidate. */
    List<ChatContentBlock> all() {
        List<ChatContentBlock> all = new ArrayList<>(done);
        if (!current.isEmpty()) {
            all.add(block());
        }
        if (call != null && !call.doubtful && !call.raw.toString().isBlank()) {
            all.add(new ChatContentBlock.ToolCallCandidate(call.raw.toString()));
        }
        return all;
    }

    ChatReplyDelta takeDelta() {
        List<ChatReplyDelta.ToolCallDelta> calls = newCalls.isEmpty()
                ? List.of()
                : newCalls.stream().map(NewCall::delta).toList();
        var delta = new ChatReplyDelta(newText.toString(), newReasoning.toString(), calls);
        newText.setLength(0);
        newReasoning.setLength(0);
        newCalls.clear();
        return delta;
    }
}
