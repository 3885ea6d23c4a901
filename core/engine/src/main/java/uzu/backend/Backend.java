package uzu.backend;

import uzu.format.Tensor;

/** Where programs run. Weights are made resident first, then a program that names them is made ready. */
public interface Backend extends AutoCloseable {
    /** What runs, for reports: {@code cpu avx2, 2 threads}. */
    String description();

    /** A matrix of {@code tensor}'s shape; the tensor's data isn't needed afterwards. */
    Weight matrix(Tensor tensor, RowOrder order);

    /** A vector of floats. */
    Weight vector(String name, float[] values);

    Executable prepare(Program program);

    /**
     * Another program over the sequences of {@code owner}, an executable of this backend with the same layers: a sequence
     * commits rows of the last pass of either that computed it. It is closed before the owner.
     */
    Executable prepare(Program program, Executable owner);

    /** Frees the weights; executables are closed first. */
    @Override
    void close();
}
