package uzu.backend;

/** A scratch buffer of a program: one row of {@code width} floats for each row of the batch. */
public record Value(int index, int width, String name) {}
