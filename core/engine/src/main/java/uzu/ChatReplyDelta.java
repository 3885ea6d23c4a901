package uzu;

/** Text to append to a message. */
public record ChatReplyDelta(String text, String reasoning) {}
