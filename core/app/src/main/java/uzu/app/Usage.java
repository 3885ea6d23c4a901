package uzu.app;

/** A command line that makes no sense. */
final class Usage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Usage(String message) {
        super(message);
    }
}
