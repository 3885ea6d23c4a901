package uzu.tokenizer;

import java.util.BitSet;
import java.util.Set;

/** A text stream over the bytes of tokens. */
final class Utf8TextStream implements TextStream {
    private final Tokenizer tokenizer;
    private final boolean stripsSpace;
    private final BitSet visible = new BitSet();
    private final Utf8 utf8 = new Utf8();
    private final StringBuilder text = new StringBuilder();
    private boolean started;

    /**
     * @param stripsSpace whether one space at the very start is not part of the text
     * @param visible special tokens that are text
     */
    Utf8TextStream(Tokenizer tokenizer, boolean stripsSpace, Set<String> visible) {
        this.tokenizer = tokenizer;
        this.stripsSpace = stripsSpace;
        visible.forEach(token -> tokenizer.id(token).ifPresent(this.visible::set));
    }

    @Override
    public String next(int id) {
        if (tokenizer.isSpecial(id) && !visible.get(id)) {
            return "";
        }
        utf8.decode(tokenizer.bytes(id), text);
        return take();
    }

    @Override
    public String flush() {
        utf8.end(text);
        String rest = take();
        started = false;
        return rest;
    }

    private String take() {
        if (text.isEmpty()) {
            return "";
        }
        int from = stripsSpace && !started && text.charAt(0) == ' ' ? 1 : 0;
        started = true;
        String complete = text.substring(from);
        text.setLength(0);
        return complete;
    }
}
