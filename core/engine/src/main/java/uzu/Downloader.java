package uzu;

/** The download of one model. */
public interface Downloader {
    DownloadState state();

    /** Starts or goes on; after an error, starts again. Nothing happens while downloading or when all is there. */
    void resume();

    /** Stops, keeping what was fetched. @throws UzuException.InvalidState when nothing is being downloaded */
    void pause();

    /** Removes the model's files. @throws UzuException.InvalidState while another process holds them */
    void delete();

    /** Updates until the download ends, pauses or fails; empty when none runs. */
    DownloaderStream progress();
}
