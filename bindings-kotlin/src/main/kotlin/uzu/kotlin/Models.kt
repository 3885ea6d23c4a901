package uzu.kotlin

/** Who made a family of models. */
data class ModelVendor(val identifier: String, val name: String)

/** Models of one name in several sizes. */
data class ModelFamily(val identifier: String, val name: String, val vendor: ModelVendor)

/** Where a model is known from. */
data class ModelRegistry(val identifier: String, val name: String)

data class ModelProperties(val size: String, val version: String?)

/** How the weights were rounded. */
data class ModelQuantization(val method: String, val bitsPerWeight: Double)

/**
 * What a model on this machine can do.
 *
 * @property chat whether it has a chat template
 * @property reasoning whether its template knows a reasoning mode
 * @property contextLength most tokens of a conversation
 */
data class ModelCapabilities(val chat: Boolean, val reasoning: Boolean, val tools: ToolSupport, val contextLength: Int)

/** A model that the engine knows. A model given by path has its absolute path as identifier. */
data class Model(
    val identifier: String,
    val name: String,
    val registry: ModelRegistry,
    val backends: List<String>,
    val family: ModelFamily?,
    val properties: ModelProperties?,
    val quantization: ModelQuantization?,
    val specializations: List<ModelSpecialization>,
    val accessibility: ModelAccessibility,
    val isDownloadable: Boolean,
) {
    val isLocal: Boolean get() = accessibility == ModelAccessibility.Local
    val isRemote: Boolean get() = accessibility == ModelAccessibility.Remote
    val isChatCapable: Boolean get() = ModelSpecialization.Chat in specializations
    val isQuantized: Boolean get() = quantization != null
}
