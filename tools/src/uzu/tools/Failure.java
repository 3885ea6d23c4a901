package uzu.tools;

/** Something the user must know: printed as one line, without a stack trace; the program ends with the status. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    Failure(String line) {
        this(line, 1);
    }

    Failure(String line, int status) {
        super(line);
        this.status = status;
    }

    int status() {
        return status;
    }
}
