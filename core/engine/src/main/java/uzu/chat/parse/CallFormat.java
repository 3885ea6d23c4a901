package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/** How a model writes tool calls into its reply. */
interface CallFormat {
    /** What opens calls in a text. */
    List<String> markers();

    /**
     * What reads on behind {@code marker}. The call was opened, with the marker as its raw text.
     *
     * @param after what reads on behind the calls
     */
    Part calls(String marker, Part after);

    /** One call of a tool, as part of {@link #section}. */
    Syntax call(CallArguments arguments);

    /**
     * What calls may be written as, from the marker on.
     *
     * @param call any one of the tools
     * @param parallel whether there may be several
     */
    Syntax section(Syntax call, boolean parallel);

    /** A text without calls. */
    default Syntax text() {
        return new Syntax.Without(markers());
    }

    /** Whether calls stand in place of a text, not behind one. */
    default boolean mayReplaceText() {
        return false;
    }

    /** Whether a reply, or what follows its reasoning, may be a bare JSON call without a marker. */
    default boolean mayBeBare() {
        return false;
    }

    /**
     * What reads a call without a marker where a text could start.
     *
     * @param spaces white space before it
     * @return {@code text}: more is needed to see what starts; null: surely no call
     */
    default @Nullable Part bare(Input input, int spaces, Blocks blocks, FreeText text) {
        return mayBeBare() ? BareCall.start(input, spaces, blocks, text) : null;
    }

    /** The bare call, where there may be one. */
    default @Nullable Syntax bare(CallArguments arguments) {
        return null;
    }

    /** How a model with such calls writes its reasoning, where its template doesn't spell that out. */
    default @Nullable Reasoning reasoning() {
        return null;
    }

    /** What an answer without calls is written as. */
    default Syntax answer(Syntax form) {
        return form;
    }

    /** What a prompt's end says of the reasoning, where the tags alone don't tell; else null. */
    default @Nullable Opening opening(String prompt) {
        return null;
    }

    /** Control tokens that tell calls from text. */
    default Set<String> visible() {
        return Set.copyOf(markers());
    }

    /** Whether a call may follow in the midst of reasoning, which it ends. */
    default boolean endsReasoning() {
        return false;
    }

    /** Identifiers of calls for which the format has none. */
    default Identifiers identifiers(String prompt) {
        return new Identifiers("call_", 24, prompt);
    }
}
