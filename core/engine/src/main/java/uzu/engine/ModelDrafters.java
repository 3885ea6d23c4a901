package uzu.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ChatDrafter;
import uzu.ChatSpeculationPreset;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.model.LanguageModel;
import uzu.speculate.Drafter;
import uzu.speculate.FeatureDrafter;
import uzu.speculate.FixedValues;
import uzu.speculate.Lookup;
import uzu.speculate.Recall;
import uzu.speculate.Speculation;
import uzu.tokenizer.Tokenizer;

/** The drafters of a loaded model, and how presets choose from them. */
final class ModelDrafters implements AutoCloseable {
    private final Lookup lookup = new Lookup();
    private final Recall recall = new Recall();
    private final ModelTables tables;
    private final Tokenizer tokenizer;
    private ModelBlock block = ModelBlock.none();
    private @Nullable ModelNetwork network;
    private @Nullable DraftModels models;

    /** @throws UzuException.ModelCorrupt when what lies beside the model is not what it should be */
    ModelDrafters(Path model, Tokenizer tokenizer) {
        tables = ModelTables.of(model, tokenizer);
        this.tokenizer = tokenizer;
    }

    /**
     * Makes ready the networks beside the model.
     *
     * @param backend the model's
     * @param finder of other models that may draft for this one
     * @throws UzuException.ModelCorrupt when one contradicts itself, or was made for another model
     */
    void load(Path path, LanguageModel model, Backend backend, DraftModels.Finder finder) {
        block = ModelBlock.of(path, model, backend, tables);
        network = new ModelNetwork(path, tokenizer, model, backend);
        models = new DraftModels(finder, tokenizer, model.vocabularySize(), backend);
    }

    Speculation speculation(ChatSpeculationPreset preset) {
        return switch (preset) {
            case ChatSpeculationPreset.Off off -> Speculation.off();
            case ChatSpeculationPreset.Auto auto -> new Speculation(all(), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.GeneralChat chat -> new Speculation(all(), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.Summarization summary ->
                new Speculation(List.of(lookup), Speculation.DEFAULT_NODES);
            case ChatSpeculationPreset.Classification classification -> {
                List<Drafter> drafters = new ArrayList<>(all());
                drafters.addFirst(values(classification.feature().values()));
                yield new Speculation(drafters, Speculation.DEFAULT_NODES);
            }
            case ChatSpeculationPreset.Custom custom -> {
                List<Drafter> chosen = custom.drafters().stream()
                        .sorted(Comparator.comparing(ModelDrafters::place))
                        .map(this::chosen)
                        .toList();
                yield new Speculation(chosen, custom.maxNodes(), custom.verifier());
            }
        };
    }

    /** The most specific first, as they are merged. */
    private List<Drafter> all() {
        List<Drafter> all = new ArrayList<>(List.of(lookup, recall));
        block.addTo(all);
        FeatureDrafter trained = network == null ? null : network.drafter();
        if (trained != null) {
            all.add(trained);
        }
        all.add(tables.drafter());
        return all;
    }

    /** Where a drafter is among others, whoever names them in which order; a draft model isn't in {@link #all}. */
    private static int place(ChatDrafter drafter) {
        return switch (drafter) {
            case ChatDrafter.Lookup any -> 0;
            case ChatDrafter.Recall any -> 1;
            case ChatDrafter.Network any -> 2;
            case ChatDrafter.DraftModel any -> 3;
            case ChatDrafter.Tables any -> 4;
        };
    }

    /** Each value as a reply may have it: at once or after a space, then an end. */
    private FixedValues values(List<String> values) {
        List<int[]> answers = new ArrayList<>();
        for (String value : values) {
            for (String spelled : List.of(value, " " + value)) {
                int[] answer = tokenizer.encode(spelled, false);
                for (int end : tokenizer.endOfGeneration()) {
                    int[] ended = Arrays.copyOf(answer, answer.length + 1);
                    ended[answer.length] = end;
                    answers.add(ended);
                }
            }
        }
        return new FixedValues(answers);
    }

    private Drafter chosen(ChatDrafter drafter) {
        return switch (drafter) {
            case ChatDrafter.Lookup any -> lookup;
            case ChatDrafter.Recall any -> recall;
            case ChatDrafter.Tables any -> {
                if (!tables.exist()) {
                    throw missing("tables");
                }
                yield tables.drafter();
            }
            case ChatDrafter.Network any -> {
                Drafter known = block.drafter();
                if (known == null && network != null) {
                    known = network.drafter();
                }
                if (known == null) {
                    throw missing("a network");
                }
                yield known;
            }
            case ChatDrafter.DraftModel(String identifier) -> {
                if (models == null) {
                    throw missing("a draft model");
                }
                yield models.of(identifier);
            }
        };
    }

    private static UzuException missing(String what) {
        return new UzuException.InvalidArgument("the model has no drafter with " + what, Map.of("field", "drafters"));
    }

    /** Of the draft models. */
    long weightBytes() {
        return models == null ? 0 : models.weightBytes();
    }

    @Override
    public void close() {
        lookup.close();
        recall.close();
        block.close();
        if (network != null) {
            network.close();
        }
        if (models != null) {
            models.close();
        }
    }
}
