package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.ChatDrafter;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatSpeculationPreset;
import uzu.ChatVerifier;
import uzu.Feature;
import uzu.UzuException;

class SpeculationJsonTest {
    private static ChatSpeculationPreset preset(String json) {
        return ConfigJson.chat("{\"speculation_preset\":" + json + "}").speculationPreset();
    }

    @Test
    void presetsWithoutFieldsAreNames() {
        assertEquals(new ChatSpeculationPreset.Auto(), preset("null"));
        assertEquals(new ChatSpeculationPreset.Auto(), preset("\"auto\""));
        assertEquals(new ChatSpeculationPreset.Off(), preset("\"off\""));
        assertEquals(new ChatSpeculationPreset.GeneralChat(), preset("\"general_chat\""));
        assertEquals(new ChatSpeculationPreset.Summarization(), preset("\"summarization\""));
    }

    @Test
    void presetsWithFieldsAreObjects() {
        assertEquals(
                new ChatSpeculationPreset.Classification(new Feature("sentiment", List.of("Happy", "Sad"))),
                preset("{\"type\":\"classification\",\"feature\":{\"name\":\"sentiment\","
                        + "\"values\":[\"Happy\",\"Sad\"]}}"));
        assertEquals(
                new ChatSpeculationPreset.Custom(
                        List.of(
                                new ChatDrafter.Lookup(),
                                new ChatDrafter.Recall(),
                                new ChatDrafter.Tables(),
                                new ChatDrafter.Network(),
                                new ChatDrafter.DraftModel("small")),
                        8,
                        ChatVerifier.REJECTION),
                preset("{\"type\":\"custom\",\"drafters\":[\"lookup\",\"recall\",\"tables\",\"network\","
                        + "{\"type\":\"draft_model\",\"identifier\":\"small\"}],"
                        + "\"max_nodes\":8,\"verifier\":\"rejection\"}"));
        assertEquals(
                ChatSpeculationPreset.Custom.of(new ChatDrafter.Lookup()),
                preset("{\"type\":\"custom\",\"drafters\":[\"lookup\"]}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    1                                                               | speculation_preset
                    "fast"                                                          | speculation_preset
                    {}                                                              | speculation_preset.type
                    {"type":"fast"}                                                 | speculation_preset.type
                    {"type":"custom"}                                               | speculation_preset.drafters
                    {"type":"custom","drafters":"lookup"}                           | speculation_preset.drafters
                    {"type":"custom","drafters":[]}                                 | drafters
                    {"type":"custom","drafters":["guess"]}                          | drafter
                    {"type":"custom","drafters":[{"type":"model"}]}                 | drafter.type
                    {"type":"custom","drafters":[{"type":"draft_model"}]}           | drafter.identifier
                    {"type":"custom","drafters":[{"type":"draft_model","identifier":" "}]} | identifier
                    {"type":"custom","drafters":["lookup"],"max_nodes":1}           | max_nodes
                    {"type":"custom","drafters":["lookup"],"max_nodes":65}          | max_nodes
                    {"type":"custom","drafters":["lookup"],"verifier":"none"}       | speculation_preset.verifier
                    {"type":"custom","drafters":["lookup"],"nodes":8}               | speculation_preset.nodes
                    {"type":"classification"}                                       | speculation_preset.feature
                    {"type":"classification","feature":{"name":"x"}}                | feature.values
                    {"type":"classification","feature":{"name":"x","values":[]}}    | values
                    {"type":"classification","feature":{"name":"x","values":[""]}}  | values
                    {"type":"classification","feature":{"values":["a"]}}            | feature.name
                    """)
    void whatIsWrongIsNamed(String json, String field) {
        var wrong = assertThrows(UzuException.InvalidArgument.class, () -> preset(json));
        assertEquals(field, Errors.json(wrong).path("details").path("field").asString());
    }

    @Test
    void statsHaveEveryField() {
        var speculation = new ChatReplySpeculatorStats(2.5, 4, 10, 6, List.of(1, 2, 0, 1), 0.25, 0.5, 0.125);
        JsonWriter json = new JsonWriter().object();
        SpeculationJson.stats(json, speculation);
        assertEquals(
                "{\"speculator_stats\":{\"tokens_per_forward_pass\":2.5,\"num_decode_forward_passes\":4,\"num_tokens_drafted\":10,"
                        + "\"num_tokens_accepted\":6,\"passes_by_accepted\":[1,2,0,1],\"drafting_seconds\":0.25,"
                        + "\"verifying_seconds\":0.5,\"sampling_seconds\":0.125}}",
                json.endObject().toString());
    }
}
