package uzu.bridge;

import org.graalvm.word.Pointer;
import org.graalvm.word.WordFactory;
import uzu.backend.cpu.RawMemory;

/** Native memory by pointers. */
public final class ImageMemory implements RawMemory {
    @Override
    public short getShort(long address) {
        return at(address).readShort(0);
    }

    @Override
    public void putShort(long address, short value) {
        at(address).writeShort(0, value);
    }

    @Override
    public int getInt(long address) {
        return at(address).readInt(0);
    }

    @Override
    public void putInt(long address, int value) {
        at(address).writeInt(0, value);
    }

    @Override
    public float getFloat(long address) {
        return at(address).readFloat(0);
    }

    @Override
    public void putFloat(long address, float value) {
        at(address).writeFloat(0, value);
    }

    private static Pointer at(long address) {
        return WordFactory.pointer(address);
    }
}
