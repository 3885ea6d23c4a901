package uzu.app.speculation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ChatDrafter;
import uzu.ChatSpeculationPreset;
import uzu.UzuException;

/** A way to decode that is compared. */
record Variant(String name, ChatSpeculationPreset preset) {
    static final String PLAIN = "plain";
    static final String AUTO = "auto";
    static final String DRAFT = "draft";

    static final String RECALL = "recall";

    /** Those that take no time to speak of. */
    static final String TEXTS = "texts";

    /** What is measured unless others are named: each that recalls but the last loads the model once more. */
    static final List<String> USUAL = List.of("lookup", "tables", "network", DRAFT, AUTO);

    /** In the order of reports. {@code draft} needs a draft model. */
    static final List<String> NAMES = List.of("lookup", RECALL, "tables", "network", TEXTS, DRAFT, AUTO);

    static Variant plain() {
        return new Variant(PLAIN, new ChatSpeculationPreset.Off());
    }

    /** @param draft identifier of the draft model, or null */
    static Variant named(String name, @Nullable String draft) {
        return switch (name) {
            case "lookup" -> custom(name, new ChatDrafter.Lookup());
            case RECALL -> custom(name, new ChatDrafter.Recall());
            case TEXTS -> custom(name, new ChatDrafter.Lookup(), new ChatDrafter.Recall(), new ChatDrafter.Tables());
            case "tables" -> custom(name, new ChatDrafter.Tables());
            case "network" -> custom(name, new ChatDrafter.Network());
            case DRAFT -> custom(name, new ChatDrafter.DraftModel(needed(draft)));
            case AUTO -> new Variant(name, new ChatSpeculationPreset.Auto());
            default ->
                throw new UzuException.InvalidArgument(
                        "--drafters " + name + ": not one of " + String.join(", ", NAMES), Map.of("field", "drafters"));
        };
    }

    /** All drafters of some variants in one tree, where a draft model is among them: a preset alone names none. */
    static Variant all(List<Variant> variants) {
        List<ChatDrafter> drafters = new ArrayList<>();
        for (Variant variant : variants) {
            if (variant.preset instanceof ChatSpeculationPreset.Custom custom) {
                drafters.addAll(custom.drafters());
            }
        }
        return custom("all", drafters.stream().distinct().toArray(ChatDrafter[]::new));
    }

    /** Whether its replies depend, in speed, on those that it gave before. */
    boolean recalls() {
        return switch (preset) {
            case ChatSpeculationPreset.Custom custom -> custom.drafters().contains(new ChatDrafter.Recall());
            case ChatSpeculationPreset.Off off -> false;
            default -> true;
        };
    }

    private static Variant custom(String name, ChatDrafter... drafters) {
        return new Variant(name, ChatSpeculationPreset.Custom.of(drafters));
    }

    private static String needed(@Nullable String draft) {
        if (draft == null) {
            throw new UzuException.InvalidArgument("the variant draft needs --draft MODEL", Map.of("field", "draft"));
        }
        return draft;
    }
}
