package uzu.kotlin

import java.nio.file.Path

/**
 * How an engine runs. Immutable. [create] and [engineConfig] read the environment; what is given wins.
 *
 * Keys are for cloud models, which this version doesn't know yet. They don't show when a configuration is printed.
 *
 * @property localPath a folder of one's own models (`LOCAL_PATH`)
 * @property cachePath where downloaded models lie; null: `UZU_CACHE`, else `~/.cache/uzu`
 * @property threads worker threads of a pass; 0: the physical cores that this process may use
 * @property offline whether nothing may be fetched
 */
data class EngineConfig(
    val openaiApiKey: String? = null,
    val anthropicApiKey: String? = null,
    val geminiApiKey: String? = null,
    val xaiApiKey: String? = null,
    val basetenApiKey: String? = null,
    val openrouterApiKey: String? = null,
    val huggingfaceApiKey: String? = null,
    val miraiApiKey: String? = null,
    val localPath: Path? = null,
    val lalamoPath: Path? = null,
    val allowOllamaUsage: Boolean = true,
    val allowLmstudioUsage: Boolean = true,
    val cachePath: Path? = null,
    val precision: Precision = Precision.Fast,
    val backend: Backend = Backend.Auto,
    val threads: Int = 0,
    val offline: Boolean = false,
) {
    fun withOpenaiApiKey(openaiApiKey: String?) = copy(openaiApiKey = openaiApiKey)

    fun withAnthropicApiKey(anthropicApiKey: String?) = copy(anthropicApiKey = anthropicApiKey)

    fun withGeminiApiKey(geminiApiKey: String?) = copy(geminiApiKey = geminiApiKey)

    fun withXaiApiKey(xaiApiKey: String?) = copy(xaiApiKey = xaiApiKey)

    fun withBasetenApiKey(basetenApiKey: String?) = copy(basetenApiKey = basetenApiKey)

    fun withOpenrouterApiKey(openrouterApiKey: String?) = copy(openrouterApiKey = openrouterApiKey)

    fun withHuggingfaceApiKey(huggingfaceApiKey: String?) = copy(huggingfaceApiKey = huggingfaceApiKey)

    fun withMiraiApiKey(miraiApiKey: String?) = copy(miraiApiKey = miraiApiKey)

    fun withLocalPath(localPath: Path?) = copy(localPath = localPath)

    fun withLalamoPath(lalamoPath: Path?) = copy(lalamoPath = lalamoPath)

    fun withAllowOllamaUsage(allowOllamaUsage: Boolean) = copy(allowOllamaUsage = allowOllamaUsage)

    fun withAllowLmstudioUsage(allowLmstudioUsage: Boolean) = copy(allowLmstudioUsage = allowLmstudioUsage)

    fun withCachePath(cachePath: Path?) = copy(cachePath = cachePath)

    fun withPrecision(precision: Precision) = copy(precision = precision)

    fun withBackend(backend: Backend) = copy(backend = backend)

    fun withThreads(threads: Int) = copy(threads = threads)

    fun withOffline(offline: Boolean) = copy(offline = offline)

    override fun toString(): String =
        "EngineConfig(localPath=$localPath, lalamoPath=$lalamoPath, allowOllamaUsage=$allowOllamaUsage, " +
            "allowLmstudioUsage=$allowLmstudioUsage, cachePath=$cachePath, precision=$precision, backend=$backend, " +
            "threads=$threads, offline=$offline)"

    companion object {
        /** The defaults, as the environment changes them. */
        @JvmStatic
        fun create(): EngineConfig = create(System.getenv())

        internal fun create(environment: Map<String, String>): EngineConfig {
            fun read(name: String) = environment[name]?.takeIf { it.isNotEmpty() }
            val backend = read("UZU_BACKEND")?.lowercase() ?: "auto"
            return EngineConfig(
                openaiApiKey = read("OPENAI_API_KEY"),
                anthropicApiKey = read("ANTHROPIC_API_KEY"),
                geminiApiKey = read("GEMINI_API_KEY"),
                xaiApiKey = read("XAI_API_KEY"),
                basetenApiKey = read("BASETEN_API_KEY"),
                openrouterApiKey = read("OPENROUTER_API_KEY"),
                huggingfaceApiKey = read("HF_TOKEN"),
                miraiApiKey = read("MIRAI_API_KEY"),
                localPath = read("LOCAL_PATH")?.let(Path::of),
                lalamoPath = read("LALAMO_PATH")?.let(Path::of),
                cachePath = read("UZU_CACHE")?.let(Path::of),
                backend = Backend.entries.firstOrNull { it.name.lowercase() == backend }
                    ?: throw UzuException.InvalidArgument(
                        "UZU_BACKEND is auto, cpu or metal, not $backend",
                        mapOf("variable" to "UZU_BACKEND"),
                    ),
            )
        }
    }

    /** Builds a configuration: `engineConfig { threads = 2 }`. */
    @UzuDsl
    class Builder internal constructor(start: EngineConfig) {
        var openaiApiKey: String? = start.openaiApiKey
        var anthropicApiKey: String? = start.anthropicApiKey
        var geminiApiKey: String? = start.geminiApiKey
        var xaiApiKey: String? = start.xaiApiKey
        var basetenApiKey: String? = start.basetenApiKey
        var openrouterApiKey: String? = start.openrouterApiKey
        var huggingfaceApiKey: String? = start.huggingfaceApiKey
        var miraiApiKey: String? = start.miraiApiKey
        var localPath: Path? = start.localPath
        var lalamoPath: Path? = start.lalamoPath
        var allowOllamaUsage: Boolean = start.allowOllamaUsage
        var allowLmstudioUsage: Boolean = start.allowLmstudioUsage
        var cachePath: Path? = start.cachePath
        var precision: Precision = start.precision
        var backend: Backend = start.backend
        var threads: Int = start.threads
        var offline: Boolean = start.offline

        internal fun build() = EngineConfig(
            openaiApiKey,
            anthropicApiKey,
            geminiApiKey,
            xaiApiKey,
            basetenApiKey,
            openrouterApiKey,
            huggingfaceApiKey,
            miraiApiKey,
            localPath,
            lalamoPath,
            allowOllamaUsage,
            allowLmstudioUsage,
            cachePath,
            precision,
            backend,
            threads,
            offline,
        )
    }
}

/** A configuration that starts from the environment. */
fun engineConfig(configure: EngineConfig.Builder.() -> Unit): EngineConfig =
    EngineConfig.Builder(EngineConfig.create()).apply(configure).build()
