package uzu;

/**
 * @param completion the whole text so far
 * @param delta what the last chunk's text didn't have yet
 */
public record CompletionChunk(Completion completion, String delta) {}
