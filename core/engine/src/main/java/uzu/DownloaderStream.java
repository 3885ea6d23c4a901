package uzu;

/** Progress of a download. The last update is complete; a failure is thrown instead. */
public interface DownloaderStream extends ResultStream<DownloaderStreamUpdate> {
    /** Stops watching; the download goes on. */
    @Override
    void close();
}
