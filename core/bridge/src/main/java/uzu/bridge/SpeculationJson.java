package uzu.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.ChatDrafter;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatSpeculationPreset;
import uzu.ChatVerifier;
import uzu.Feature;

/** Presets from JSON, and what speculation brought as JSON. A preset or drafter without fields is its name alone. */
final class SpeculationJson {
    private static final String PRESET = "speculation_preset";
    private static final String DRAFTER = "drafter";

    private SpeculationJson() {}

    static ChatSpeculationPreset preset(JsonNode node) {
        if (node.isString()) {
            return switch (node.stringValue()) {
                case "auto" -> new ChatSpeculationPreset.Auto();
                case "off" -> new ChatSpeculationPreset.Off();
                case "general_chat" -> new ChatSpeculationPreset.GeneralChat();
                case "summarization" -> new ChatSpeculationPreset.Summarization();
                default ->
                    throw Fields.wrong(
                            PRESET, "\"auto\", \"off\", \"general_chat\", \"summarization\" or an object", node);
            };
        }
        Fields fields = new Fields(PRESET, node, "type", "feature", "drafters", "max_nodes", "verifier");
        return switch (fields.needText("type")) {
            case "classification" -> new ChatSpeculationPreset.Classification(feature(fields.need("feature")));
            case "custom" -> custom(fields);
            default -> throw Fields.wrong(PRESET + ".type", "\"classification\" or \"custom\"", fields.need("type"));
        };
    }

    private static Feature feature(JsonNode node) {
        Fields fields = new Fields("feature", node, "name", "values");
        List<String> values = new ArrayList<>();
        for (JsonNode value : array("feature.values", fields.need("values"))) {
            values.add(Fields.text("feature.values", value));
        }
        return new Feature(fields.needText("name"), values);
    }

    private static ChatSpeculationPreset custom(Fields fields) {
        List<ChatDrafter> drafters = new ArrayList<>();
        for (JsonNode drafter : array(PRESET + ".drafters", fields.need("drafters"))) {
            drafters.add(drafter(drafter));
        }
        ChatSpeculationPreset.Custom usual = ChatSpeculationPreset.Custom.of(new ChatDrafter.Lookup());
        return new ChatSpeculationPreset.Custom(
                drafters,
                Objects.requireNonNullElse(fields.integer("max_nodes"), usual.maxNodes()),
                Objects.requireNonNullElse(fields.choice("verifier", ChatVerifier.class), usual.verifier()));
    }

    private static ChatDrafter drafter(JsonNode node) {
        if (node.isString()) {
            return switch (node.stringValue()) {
                case "lookup" -> new ChatDrafter.Lookup();
                case "recall" -> new ChatDrafter.Recall();
                case "tables" -> new ChatDrafter.Tables();
                case "network" -> new ChatDrafter.Network();
                default ->
                    throw Fields.wrong(DRAFTER, "\"lookup\", \"recall\", \"tables\", \"network\" or an object", node);
            };
        }
        Fields fields = new Fields(DRAFTER, node, "type", "identifier");
        if (!fields.needText("type").equals("draft_model")) {
            throw Fields.wrong(DRAFTER + ".type", "\"draft_model\"", fields.need("type"));
        }
        return new ChatDrafter.DraftModel(fields.needText("identifier"));
    }

    private static JsonNode array(String field, JsonNode node) {
        if (!node.isArray()) {
            throw Fields.wrong(field, "an array", node);
        }
        return node;
    }

    static void stats(JsonWriter json, @Nullable ChatReplySpeculatorStats stats) {
        if (stats == null) {
            return;
        }
        json.object("speculator_stats")
                .put("tokens_per_forward_pass", stats.tokensPerForwardPass())
                .put("num_decode_forward_passes", stats.numDecodeForwardPasses())
                .put("num_tokens_drafted", stats.numTokensDrafted())
                .put("num_tokens_accepted", stats.numTokensAccepted())
                .put("passes_by_accepted", stats.passesByAccepted())
                .put("drafting_seconds", stats.draftingSeconds())
                .put("verifying_seconds", stats.verifyingSeconds())
                .put("sampling_seconds", stats.samplingSeconds())
                .endObject();
    }
}
