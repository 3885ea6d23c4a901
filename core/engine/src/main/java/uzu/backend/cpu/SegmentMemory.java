package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/** Native memory through one segment that is all of it. */
final class SegmentMemory implements RawMemory {
    @Override
    public short getShort(long address) {
        return Memory.ALL.get(JAVA_SHORT, address);
    }

    @Override
    public void putShort(long address, short value) {
        Memory.ALL.set(JAVA_SHORT, address, value);
    }

    @Override
    public int getInt(long address) {
        return Memory.ALL.get(JAVA_INT_UNALIGNED, address);
    }

    @Override
    public void putInt(long address, int value) {
        Memory.ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    @Override
    public float getFloat(long address) {
        return Memory.ALL.get(JAVA_FLOAT, address);
    }

    @Override
    public void putFloat(long address, float value) {
        Memory.ALL.set(JAVA_FLOAT, address, value);
    }
}
