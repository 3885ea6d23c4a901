package uzu.chat.parse;

import java.util.List;
import uzu.ChatContentBlock;
import uzu.ChatReplyDelta;

/**
 * Reads one reply as it comes. However the text is cut, the blocks at the end are the same, and so are the deltas put
 * together: their texts are the text blocks' (and the reasoning's), and those of a call are its identifier, name and
 * arguments. A call whose deltas began and that turned out malformed, or was cut short, is a candidate among the
 * blocks; its deltas stop inside the arguments. Not thread-safe.
 */
public final class MessageParser {
    private final Input input = new Input();
    private final Blocks blocks;
    private Part part;

    MessageParser(Blocks blocks, Part first) {
        this.blocks = blocks;
        this.part = first;
    }

    /** The next piece of the reply, control tokens that are {@linkplain MessageFormat#visible visible} spelled out. */
    public void accept(String text) {
        input.add(text);
        run();
    }

    /** The reply is over: nothing is held back any more. */
    public void end() {
        input.end();
        run();
        blocks.end();
    }

    private void run() {
        Part next = part.read(input, blocks);
        while (next != part) {
            part = next;
            next = part.read(input, blocks);
        }
    }

    /**
     * What the reply has come to: reasoning, text, calls, candidates. Before the end, what could still become something
     * else is not among them.
     */
    public List<ChatContentBlock> blocks() {
        return blocks.all();
    }

    /** What was added since it was last taken. */
    public ChatReplyDelta takeDelta() {
        return blocks.takeDelta();
    }
}
