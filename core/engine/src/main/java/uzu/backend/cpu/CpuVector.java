package uzu.backend.cpu;

import uzu.backend.Weight;

/** A vector of floats at an address. */
record CpuVector(String name, int columns, long address) implements Weight {
    @Override
    public int rows() {
        return 1;
    }
}
