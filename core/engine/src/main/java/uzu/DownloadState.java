package uzu;

/** Where the download of a model stands. */
public record DownloadState(long totalBytes, long downloadedBytes, DownloadPhase phase) {
    /** From 0 to 1. */
    public double progress() {
        if (phase instanceof DownloadPhase.Downloaded) {
            return 1;
        }
        return totalBytes == 0 ? 0 : Math.min(1, (double) downloadedBytes / totalBytes);
    }

    public boolean isInProgress() {
        return phase instanceof DownloadPhase.Downloading;
    }

    public boolean canPause() {
        return phase instanceof DownloadPhase.Downloading;
    }

    public boolean canDelete() {
        return !(phase instanceof DownloadPhase.NotDownloaded);
    }
}
