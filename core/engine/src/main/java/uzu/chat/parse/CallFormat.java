package uzu.chat.parse;

import java.util.List;
import java.util.Set;

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

    /** Whether a reply, or what follows its reasoning, may be a bare JSON call without a marker. */
    default boolean mayBeBare() {
        return false;
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
