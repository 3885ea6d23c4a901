package uzu.chat.parse;

import java.util.List;

/** One parameter's value: a text is passed on as it comes, another type once it is whole. */
final class TagValue {
    private static final String CDATA = "<![CDATA[";
    private static final String CDATA_CLOSE = "]]>";

    private final TagCalls.Tags tags;
    private final ValueType type;
    private final StringBuilder text = new StringBuilder();
    private boolean started;
    private boolean lineHeld;
    /** Whether the opening quote of a text was written. */
    private boolean begun;

    private String close;
    private boolean mayBeCdata;

    TagValue(TagCalls.Tags tags, ValueType type) {
        this.tags = tags;
        this.type = type;
        this.close = tags.valueClose();
        this.mayBeCdata = tags.cdata();
    }

    /** Takes what surely belongs to the value; true when its closing tag was taken too. */
    boolean read(Input input, Blocks blocks) {
        if (mayBeCdata) {
            Input.Match cdata = input.match(CDATA, 0);
            if (cdata == Input.Match.MAYBE) {
                return false;
            }
            if (cdata == Input.Match.YES) {
                blocks.raw(input.take(CDATA.length()));
                close = CDATA_CLOSE + close;
            }
            mayBeCdata = false;
        }
        while (true) {
            Input.Found found = input.find(List.of(close), 0);
            add(input, found.at(), blocks);
            if (found.marker() == null) {
                return false;
            }
            int behind = close.length();
            behind += input.spaces(behind);
            if (behind == input.length() && !input.isEnded()) {
                return false;
            }
            switch (follows(input, behind)) {
                case YES -> {
                    blocks.raw(input.take(close.length()));
                    end(blocks);
                    return true;
                }
                case MAYBE -> {
                    return false;
                }
                case NO -> add(input, close.length(), blocks);
            }
        }
    }

    private Input.Match follows(Input input, int at) {
        if (at == input.length()) {
            return Input.Match.YES;
        }
        Input.Match key = input.match(tags.keyOpen(), at);
        Input.Match close = input.match(tags.callClose(), at);
        return key == Input.Match.YES || close == Input.Match.YES
                ? Input.Match.YES
                : key == Input.Match.MAYBE || close == Input.Match.MAYBE ? Input.Match.MAYBE : Input.Match.NO;
    }

    private void add(Input input, int length, Blocks blocks) {
        if (length == 0) {
            return;
        }
        String more = input.take(length);
        blocks.raw(more);
        if (tags.padded()) {
            if (!started && more.startsWith("\n")) {
                more = more.substring(1);
            }
            started = true;
            if (lineHeld && !more.isEmpty()) {
                more = "\n" + more;
                lineHeld = false;
            }
            if (more.endsWith("\n")) {
                more = more.substring(0, more.length() - 1);
                lineHeld = true;
            }
        }
        if (type.isText()) {
            String json = JsonText.escaped(more);
            blocks.arguments(begun ? json : "\"" + json);
            begun = true;
        } else {
            text.append(more);
        }
    }

    private void end(Blocks blocks) {
        if (!type.isText()) {
            blocks.arguments(type.json(text.toString()));
        } else {
            blocks.arguments(begun ? "\"" : "\"\"");
        }
    }
}
