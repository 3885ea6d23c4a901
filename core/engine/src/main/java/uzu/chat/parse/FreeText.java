package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Text between reasoning and calls. Reasoning starts only where nothing precedes it: a text may speak of the tags. */
final class FreeText implements Part {
    private final @Nullable Reasoning reasoning;
    private final @Nullable CallFormat format;
    private final Set<String> dropped;
    private final List<String> markers = new ArrayList<>();
    private boolean fresh = true;

    /**
     * @param reasoning null when the model doesn't write any
     * @param format null when no tools were declared: then nothing is a call
     */
    FreeText(@Nullable Reasoning reasoning, @Nullable CallFormat format) {
        this.reasoning = reasoning;
        this.format = format;
        this.dropped = reasoning == null ? Set.of() : reasoning.dropped();
        markers.addAll(dropped);
        if (format != null) {
            markers.addAll(format.markers());
        }
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        if (fresh) {
            Part other = start(input, blocks);
            if (other != null) {
                return other;
            }
        }
        if (markers.isEmpty()) {
            blocks.text(input.takeAll());
            return this;
        }
        Input.Found found = input.find(markers, 0);
        blocks.text(input.take(found.at()));
        while (found.marker() != null && dropped.contains(found.marker())) {
            input.skip(found.marker().length());
            blocks.border();
            found = input.find(markers, 0);
            blocks.text(input.take(found.at()));
        }
        if (found.marker() == null || format == null) {
            return this;
        }
        input.skip(found.marker().length());
        blocks.openCall(found.marker());
        fresh = true;
        return format.calls(found.marker(), this);
    }

    /** What reads on when the text starts with something else; this one when that isn't known yet; null for a text. */
    private @Nullable Part start(Input input, Blocks blocks) {
        int spaces = input.spaces(0);
        if (spaces == input.length() && !input.isEnded()) {
            return this;
        }
        if (reasoning != null) {
            switch (input.match(reasoning.open(), spaces)) {
                case YES -> {
                    input.skip(spaces + reasoning.open().length());
                    blocks.border();
                    return new Thoughts(reasoning, format, this);
                }
                case MAYBE -> {
                    return this;
                }
                case NO -> {}
            }
        }
        if (format != null) {
            Part bare = format.bare(input, spaces, blocks, this);
            if (bare != null) {
                fresh = bare == this;
                return bare;
            }
        }
        fresh = false;
        return null;
    }

    /** Reads from here as from a reply's start. */
    FreeText anew() {
        fresh = true;
        return this;
    }
}
