package uzu.backend.cpu;

import uzu.backend.Weight;

/** A matrix laid out for the kernels: units of consecutive outputs, each one stream of memory. */
interface PackedMatrix extends Weight {
    /** Units into which the outputs are divided; workers share a product by units. */
    int units();

    long bytes();

    /** Whether products with this matrix take the same prepared input as those with {@code other}. */
    boolean sharesInput(PackedMatrix other);
}
