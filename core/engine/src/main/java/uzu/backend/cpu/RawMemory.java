package uzu.backend.cpu;

import java.util.ServiceLoader;

/**
 * Native memory number by number, at absolute addresses that are right by construction. On a JVM that is {@link
 * Memory#ALL}; in a native image, where a number read through a segment can take 200 ns, it is a pointer.
 */
public interface RawMemory {
    short getShort(long address);

    void putShort(long address, short value);

    /** The address need not be aligned. */
    int getInt(long address);

    /** The address need not be aligned. */
    void putInt(long address, int value);

    float getFloat(long address);

    void putFloat(long address, float value);

    /** Of this process. */
    static RawMemory here() {
        return CLinker.isImage()
                ? ServiceLoader.load(RawMemory.class, RawMemory.class.getClassLoader())
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("the native image was made without a RawMemory"))
                : new SegmentMemory();
    }
}
