package uzu.kotlin

import kotlinx.coroutines.flow.Flow

/** The phases of a download. */
sealed class DownloadPhase {
    data object NotDownloaded : DownloadPhase()

    data object Downloading : DownloadPhase()

    data object Paused : DownloadPhase()

    data object Downloaded : DownloadPhase()

    /** Another process is downloading the model. */
    data object Locked : DownloadPhase()

    data class Error(val message: String) : DownloadPhase()
}

/**
 * Where the download of a model stands.
 *
 * @property progress from 0 to 1
 */
data class DownloadState(
    val phase: DownloadPhase,
    val totalBytes: Long,
    val downloadedBytes: Long,
    val progress: Double,
) {
    val isInProgress: Boolean get() = phase == DownloadPhase.Downloading
    val canPause: Boolean get() = isInProgress
    val canDelete: Boolean get() = phase != DownloadPhase.NotDownloaded
}

/**
 * How far a download is.
 *
 * @property progress from 0 to 1
 */
data class DownloaderStreamUpdate(val bytesTotal: Long, val bytesDownloaded: Long, val progress: Double)

/** The download of one model. */
class Downloader internal constructor(private val engine: Engine, private val model: Model) {
    /** Null for a model that isn't downloadable. */
    suspend fun state(): DownloadState? = engine.downloadState(model)

    /** Starts or goes on; after an error, starts again. */
    suspend fun resume(): Unit = engine.run("download_resume", model)

    /** Stops, keeping what was fetched. An error when nothing is being downloaded. */
    suspend fun pause(): Unit = engine.run("download_pause", model)

    /** Removes the model's files. */
    suspend fun delete(): Unit = engine.run("download_delete", model)

    /** Updates until the download ends, pauses or fails; empty when none runs. */
    fun progress(): Flow<DownloaderStreamUpdate> = engine.updates("download_watch", model)
}
