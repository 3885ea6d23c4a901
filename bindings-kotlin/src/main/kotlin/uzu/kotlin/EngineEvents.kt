package uzu.kotlin

import java.nio.file.Path

/**
 * What an engine computes with.
 *
 * @property matrixKernels the instruction set that multiplies matrices: `avx2`, `neon`, …; `vector` or `scalar`
 *     where Java does
 * @property rowKernels the same for norms, activations and attention
 * @property kernelLibrary the file of the kernels in C; null where none was found
 * @property threads workers of a pass
 * @property weightBytes bytes of the weights of all models in memory
 * @property workingBytes bytes of their keys, values and scratch
 */
data class EngineInfo(
    val matrixKernels: String,
    val rowKernels: String,
    val kernelLibrary: Path?,
    val threads: Int,
    val weightBytes: Long,
    val workingBytes: Long,
)

/** What happens in an engine, whoever caused it. */
sealed class EngineEvent {
    /** The model's identifier. */
    abstract val model: String

    /** A download began, moved on, stopped or failed, or the model was deleted. */
    data class Download(override val model: String, val state: DownloadState) : EngineEvent()

    /**
     * The model's weights came into memory.
     *
     * @property path the file or folder they were read from
     */
    data class ModelLoaded(override val model: String, val path: Path, val weightBytes: Long) : EngineEvent()

    /** The model's weights left memory: nothing uses them any more, or the engine was closed. */
    data class ModelUnloaded(override val model: String) : EngineEvent()
}
