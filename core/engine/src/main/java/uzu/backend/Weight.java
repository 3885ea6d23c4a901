package uzu.backend;

/** A matrix or vector (one row) resident on a backend, in that backend's own layout. */
public interface Weight {
    String name();

    int rows();

    int columns();
}
