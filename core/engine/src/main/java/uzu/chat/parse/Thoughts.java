package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reasoning, up to the tag that closes it. */
final class Thoughts implements Part {
    private final Reasoning reasoning;
    private final @Nullable CallFormat format;
    private final FreeText after;
    private final List<String> markers = new ArrayList<>();

    Thoughts(Reasoning reasoning, @Nullable CallFormat format, FreeText after) {
        this.reasoning = reasoning;
        this.format = format;
        this.after = after;
        markers.add(reasoning.close());
        if (format != null && format.endsReasoning()) {
            markers.addAll(format.markers());
        }
    }

    @Override
    public Part read(Input input, Blocks blocks) {
        Input.Found found = input.find(markers, 0);
        blocks.reasoning(input.take(found.at()));
        String marker = found.marker();
        if (marker == null) {
            return this;
        }
        input.skip(marker.length());
        if (format == null || marker.equals(reasoning.close())) {
            blocks.border();
            return after.anew();
        }
        blocks.openCall(marker);
        return format.calls(marker, after.anew());
    }
}
