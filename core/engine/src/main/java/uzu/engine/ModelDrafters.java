package uzu.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import uzu.ChatDrafter;
import uzu.ChatSpeculationPreset;
import uzu.UzuException;
import uzu.speculate.Drafter;
import uzu.speculate.Lookup;
import uzu.speculate.Speculation;
import uzu.tokenizer.Tokenizer;

/** The drafters of a loaded model, and how presets choose from them. */
final class ModelDrafters implements AutoCloseable {
    private final Lookup lookup = new Lookup();
    private final ModelTables tables;

    /** @throws UzuException.ModelCorrupt when what lies beside the model is not what it should be */
    ModelDrafters(Path model, Tokenizer tokenizer) {
        tables = ModelTables.of(model, tokenizer);
    }

    Speculation speculation(ChatSpeculationPreset preset) {
        return switch (preset) {
            case ChatSpeculationPreset.Off off -> Speculation.off();
            case ChatSpeculationPreset.Auto auto -> new Speculation(all(), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.GeneralChat chat -> new Speculation(all(), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.Summarization summary ->
                new Speculation(List.of(lookup), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.Classification classification ->
                new Speculation(all(), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.Custom custom -> {
                List<Drafter> chosen = new ArrayList<>();
                custom.drafters().forEach(drafter -> chosen.add(chosen(drafter)));
                yield new Speculation(chosen, custom.maxNodes());
            }
        };
    }

    private List<Drafter> all() {
        return List.of(lookup, tables.drafter());
    }

    private Drafter chosen(ChatDrafter drafter) {
        return switch (drafter) {
            case ChatDrafter.Lookup any -> lookup;
            case ChatDrafter.Tables any -> {
                if (!tables.exist()) {
                    throw missing("tables");
                }
                yield tables.drafter();
            }
            case ChatDrafter.Network network -> throw missing("a network");
            case ChatDrafter.DraftModel model -> throw missing("a draft model");
        };
    }

    private static UzuException missing(String what) {
        return new UzuException.InvalidArgument("the model has no drafter with " + what, Map.of("field", "drafters"));
    }

    @Override
    public void close() {
        lookup.close();
    }
}
