package uzu.kotlin

import kotlinx.serialization.json.Json
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import uzu.kotlin.json.json
import java.nio.file.Path
import kotlin.test.assertEquals
import kotlin.test.assertFalse

/** Configurations, and what the engine gets of them. */
class ConfigTest {
    private fun assertJson(expected: String, actual: String) =
        assertEquals(Json.parseToJsonElement(expected), Json.parseToJsonElement(actual))

    @Test
    fun theEnvironmentGivesTheDefaults() {
        val environment = mapOf("LOCAL_PATH" to "/models", "UZU_BACKEND" to "CPU", "HF_TOKEN" to "secret")
        val config = EngineConfig.create(environment)
        assertEquals(Path.of("/models"), config.localPath)
        assertEquals(Backend.Cpu, config.backend)
        assertEquals("secret", config.huggingfaceApiKey)
        assertFalse("secret" in config.toString())
        assertThrows(UzuException.InvalidArgument::class.java) { EngineConfig.create(mapOf("UZU_BACKEND" to "gpu")) }
    }

    @Test
    fun blocksAndCopiesBuildTheSame() {
        assertEquals(
            EngineConfig.create().withThreads(2).withOffline(true).withPrecision(Precision.Exact),
            engineConfig {
                threads = 2
                offline = true
                precision = Precision.Exact
            },
        )
        assertEquals(
            ChatConfig.create().withKvCache(KvCache.Q8).withContextLength(ContextLength.Maximal),
            chatConfig {
                kvCache = KvCache.Q8
                contextLength = ContextLength.Maximal
            },
        )
        assertEquals(
            ChatReplyConfig.create().withTokenLimit(5).withSamplingMethod(SamplingMethod.Greedy).withStop(listOf("\n")),
            replyConfig {
                tokenLimit = 5
                samplingMethod = SamplingMethod.Greedy
                stop = listOf("\n")
            },
        )
    }

    @Test
    fun anEnginesConfiguration() = assertJson(
        """{"local_path": null, "cache_path": "/cache", "precision": "exact", "backend": "auto", "threads": 3,
            "offline": true}""",
        json(EngineConfig(cachePath = Path.of("/cache"), precision = Precision.Exact, threads = 3, offline = true)),
    )

    @Test
    fun aChatsConfiguration() {
        assertJson(
            """{"context_length": "default", "sampling_seed": "default", "speculation_preset": "auto",
                "kv_cache": "f16", "message_format": null}""",
            json(ChatConfig.create()),
        )
        assertJson(
            """{"context_length": 2048, "sampling_seed": 7, "kv_cache": "bf16", "message_format": "hermes",
                "speculation_preset": {"type": "custom",
                "drafters": ["lookup", "recall", "tables", "network", {"type": "draft_model", "identifier": "small"}],
                "max_nodes": 8, "verifier": "shared_noise"}}""",
            json(
                chatConfig {
                    contextLength = ContextLength.Custom(2048)
                    samplingSeed = SamplingSeed.Custom(7)
                    kvCache = KvCache.BF16
                    messageFormat = "hermes"
                    speculationPreset = ChatSpeculationPreset.Custom(
                        listOf(
                            ChatDrafter.Lookup,
                            ChatDrafter.Recall,
                            ChatDrafter.Tables,
                            ChatDrafter.Network,
                            ChatDrafter.DraftModel("small"),
                        ),
                        maxNodes = 8,
                    )
                },
            ),
        )
        assertJson(
            """{"context_length": "maximal", "sampling_seed": "default", "kv_cache": "q4", "message_format": null,
                "speculation_preset": {"type": "classification", "feature": {"name": "mood", "values": ["happy", "sad"]}}}""",
            json(
                ChatConfig(
                    ContextLength.Maximal,
                    speculationPreset = ChatSpeculationPreset.Classification(Feature("mood", listOf("happy", "sad"))),
                    kvCache = KvCache.Q4,
                ),
            ),
        )
    }

    @Test
    fun aRepliesConfiguration() = assertJson(
        """{"token_limit": 9, "sampling": {"method": "stochastic", "temperature": 0.5, "top_k": 4, "top_p": 0.9,
            "min_p": 0.1, "repetition_penalty": 1.1, "suffix_repetition_length": 64, "presence_penalty": 0.2,
            "frequency_penalty": 0.3, "logit_bias": {"5": -1.0}},
            "grammar": {"type": "json_schema", "schema": "{}", "property_order": "free"}, "lenient": true,
            "tool_choice": {"name": "look"}, "parallel_tool_calls": false, "tool_turn_limit": 2,
            "reasoning_token_limit": 100, "stop": ["END"], "seed": -1, "logprobs": 3}""",
        json(
            replyConfig {
                tokenLimit = 9
                samplingMethod = SamplingMethod.Stochastic(0.5, 4, 0.9, 0.1, 1.1, 64, 0.2, 0.3, mapOf(5 to -1.0))
                grammar = Grammar.JsonSchema("{}", PropertyOrder.Free)
                lenient = true
                toolChoice = ToolChoice.Named("look")
                parallelToolCalls = false
                toolTurnLimit = 2
                reasoningTokenLimit = 100
                stop = listOf("END")
                seed = -1
                logprobs = 3
            },
        ),
    )

    @Test
    fun numbersThatJsonHasNotAreRefusedByName() {
        val refused = assertThrows(UzuException.InvalidArgument::class.java) {
            json(replyConfig { samplingMethod = SamplingMethod.Stochastic(temperature = Double.NaN) })
        }
        assertEquals("temperature", refused.details["field"])
    }
}
