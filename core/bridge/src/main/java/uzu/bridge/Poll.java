package uzu.bridge;

/** What one look at a stream or queue gave. */
sealed interface Poll {
    record Ready(String json) implements Poll {}

    /** Nothing yet. */
    record Timeout() implements Poll {}

    record End() implements Poll {}
}
