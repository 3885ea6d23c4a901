package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.UzuException;

class RecommendedTest {
    @Test
    void aGenerationConfigThatSamples() {
        assertEquals(
                new Stochastic(0.7, 20, 0.8, null, 1.1, null),
                of("{'do_sample': true, 'temperature': 0.7, 'top_k': 20, 'top_p': 0.8, 'repetition_penalty': 1.1,"
                        + " 'eos_token_id': [1, 2]}"));
    }

    @Test
    void filtersThatAreOffAreLeftOut() {
        assertEquals(
                new Stochastic(1.0, null, null, null, null, null),
                of("{'do_sample': true, 'temperature': 1.0, 'top_k': 0, 'min_p': 0}"));
    }

    @Test
    void aGenerationConfigThatDoesNotSampleIsGreedy() {
        assertEquals(new Greedy(), of("{'temperature': 0.7, 'top_p': 0.8}"));
        assertEquals(new Stochastic(0.0, null, null, null, 1.3, null), of("{'repetition_penalty': 1.3}"));
        assertEquals(new Greedy(), Recommended.of((JsonNode) null, new Greedy()));
    }

    @Test
    void anImpossibleValueIsTheModelsFault() {
        UzuException error =
                assertThrows(UzuException.ModelCorrupt.class, () -> of("{'do_sample': true, 'top_p': 1.5}"));
        assertEquals("topP", error.details().get("field"));
    }

    private static SamplingMethod of(String json) {
        return Recommended.of(new JsonMapper().readTree(json.replace('\'', '"')), new Greedy());
    }
}
