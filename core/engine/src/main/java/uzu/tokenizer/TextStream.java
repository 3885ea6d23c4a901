package uzu.tokenizer;

/** Turns a stream of ids into text, holding back the bytes of an unfinished character. Not thread-safe. */
public interface TextStream {
    /** The text that is complete now; special tokens give none. */
    String next(int id);

    /** What was held back, unfinished bytes as U+FFFD; the stream starts anew. */
    String flush();
}
