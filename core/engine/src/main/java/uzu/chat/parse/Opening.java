package uzu.chat.parse;

/** What the prompt's end says about the reasoning of the reply to come. */
public enum Opening {
    /** The reply may start with reasoning, or not. */
    FREE,
    /** The template has opened the reasoning: the reply starts inside it. */
    OPEN,
    /** The template has opened and closed it, or put the answer behind it: there is none. */
    CLOSED
}
