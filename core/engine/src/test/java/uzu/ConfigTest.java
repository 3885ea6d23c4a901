package uzu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uzu.SamplingMethod.Stochastic;

class ConfigTest {
    @Test
    void theEnvironmentGivesDefaultsAndExplicitValuesWin() {
        EngineConfig config =
                EngineConfig.create(Map.of("UZU_CACHE", "cache", "LOCAL_PATH", "models", "UZU_BACKEND", "CPU"));
        assertEquals(Path.of("cache"), config.cachePath());
        assertEquals(Path.of("models"), config.localPath());
        assertEquals(BackendChoice.CPU, config.backend());
        assertEquals(Path.of("other"), config.withCachePath(Path.of("other")).cachePath());
        assertNull(EngineConfig.create(Map.of()).localPath());
        assertEquals(
                BackendChoice.AUTO,
                EngineConfig.create(Map.of("UZU_BACKEND", "")).backend());
    }

    @Test
    void anUnknownBackendNamesItsVariable() {
        UzuException error = assertThrows(
                UzuException.InvalidArgument.class, () -> EngineConfig.create(Map.of("UZU_BACKEND", "tpu")));
        assertEquals(Map.of("variable", "UZU_BACKEND", "value", "tpu"), error.details());
    }

    @Test
    void impossibleSamplingValuesAreRefusedByName() {
        Stochastic method = Stochastic.create();
        refused("temperature", () -> method.withTemperature(-0.1));
        refused("temperature", () -> method.withTemperature(Double.NaN));
        refused("temperature", () -> method.withTemperature(Double.POSITIVE_INFINITY));
        refused("topK", () -> method.withTopK(0));
        refused("topP", () -> method.withTopP(0));
        refused("topP", () -> method.withTopP(1.01));
        refused("minP", () -> method.withMinP(-1));
        refused("minP", () -> method.withMinP(1.1));
        refused("repetitionPenalty", () -> method.withRepetitionPenalty(0));
        refused("suffixRepetitionLength", () -> method.withSuffixRepetitionLength(0));
        refused("presencePenalty", () -> method.withPresencePenalty(2.5));
        refused("frequencyPenalty", () -> method.withFrequencyPenalty(-2.5));
        refused("logitBias", () -> method.withLogitBias(Map.of(-1, 1.0)));
        refused("logitBias", () -> method.withLogitBias(Map.of(1, Double.NaN)));
    }

    @Test
    void impossibleReplyAndContextValuesAreRefusedByName() {
        refused("tokenLimit", () -> ChatReplyConfig.create().withTokenLimit(-1));
        refused("logprobs", () -> ChatReplyConfig.create().withLogprobs(101));
        refused("stop", () -> ChatReplyConfig.create().withStop(List.of("a", "")));
        refused("contextLength", () -> new ContextLength.Custom(0));
        refused("threads", () -> EngineConfig.create(Map.of()).withThreads(-1));
    }

    @Test
    void messagesAreImmutable() {
        ChatMessage message = ChatMessage.user().withText("a");
        assertEquals("ab", message.withText("b").text());
        assertEquals("a", message.text());
        assertNull(message.reasoning());
        assertNull(ChatMessage.user().text());
    }

    private static void refused(String field, Runnable making) {
        UzuException error = assertThrows(UzuException.InvalidArgument.class, making::run);
        assertEquals(field, error.details().get("field"));
    }
}
