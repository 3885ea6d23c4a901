package uzu;

/** The phases of a download. */
public sealed interface DownloadPhase {
    /** The phase as people read it. */
    String name();

    record NotDownloaded() implements DownloadPhase {
        @Override
        public String name() {
            return "Not Downloaded";
        }
    }

    record Downloading() implements DownloadPhase {
        @Override
        public String name() {
            return "Downloading";
        }
    }

    record Paused() implements DownloadPhase {
        @Override
        public String name() {
            return "Paused";
        }
    }

    record Downloaded() implements DownloadPhase {
        @Override
        public String name() {
            return "Downloaded";
        }
    }

    /** Another process is downloading the model. */
    record Locked() implements DownloadPhase {
        @Override
        public String name() {
            return "Locked";
        }
    }

    record Error(String message) implements DownloadPhase {
        @Override
        public String name() {
            return "Error";
        }
    }
}
