package uzu;

/** How far a download is. */
public record DownloaderStreamUpdate(long bytesTotal, long bytesDownloaded) {
    /** From 0 to 1. */
    public double progress() {
        return bytesTotal == 0 ? 1 : Math.min(1, (double) bytesDownloaded / bytesTotal);
    }
}
