package uzu.chat.parse;

/** A stretch of a reply: takes from the input what is certain, whatever may follow. */
interface Part {
    /**
     * Reads on. At the input's end everything is taken.
     *
     * @return the part that goes on from here; this one: it needs more text, or the end was reached
     */
    Part read(Input input, Blocks blocks);
}
