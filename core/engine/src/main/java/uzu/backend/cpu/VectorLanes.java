package uzu.backend.cpu;

import static uzu.backend.cpu.Memory.ALL;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of the shape the kernels on the Vector API use, and how they come from memory. A unit's 16 lanes are taken by
 * pairs of vectors, which share what is broadcast; so vectors have 128 or 256 bits.
 *
 * <p>C2 joins what uses a vector only where all calls are inlined, and it inlines our own methods only while a method
 * has few nodes, a few dozen operations: longer methods call the API alone, and each does one step through arrays.
 */
final class VectorLanes {
    private static final int BITS = Math.clamp(VectorShape.preferredShape().vectorBitSize(), 128, 256);
    private static final VectorShape SHAPE = VectorShape.forBitSize(BITS);

    static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SHAPE);
    static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, SHAPE);
    static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, SHAPE);
    private static final VectorSpecies<Short> HALF_SHORTS =
            VectorSpecies.of(short.class, VectorShape.forBitSize(BITS / 2));
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_64;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /** 4-byte lanes of a vector. */
    static final int COUNT = INTS.length();

    /** Lanes of a pair of vectors. */
    static final int PAIR = 2 * COUNT;

    /** 2-byte lanes of a vector. */
    static final int WORDS = SHORTS.length();

    static final long ADDRESSES = (1L << 56) - 1;
    private static final IntVector BYTE_SHIFTS = IntVector.broadcast(INTS, 0).addIndex(8);

    private VectorLanes() {}

    /** The address itself; C2 sees its bounds and leaves the checks of what is near it out. */
    static long at(long address) {
        return address & ADDRESSES;
    }

    static IntVector ints(long address) {
        return IntVector.fromMemorySegment(INTS, ALL, address, ORDER);
    }

    static FloatVector floats(long address) {
        return FloatVector.fromMemorySegment(FLOATS, ALL, address, ORDER);
    }

    static void write(FloatVector values, long address) {
        values.intoMemorySegment(ALL, address, ORDER);
    }

    static float single(long address) {
        return ALL.get(ValueLayout.JAVA_FLOAT_UNALIGNED, address);
    }

    static int number(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /** One pair of words in all lanes. */
    static ShortVector words(long address) {
        return IntVector.broadcast(INTS, number(address)).reinterpretAsShorts();
    }

    /** 2-byte values, their signs extended. */
    static IntVector shorts(long address) {
        return (IntVector) ShortVector.fromMemorySegment(HALF_SHORTS, ALL, address, ORDER)
                .convertShape(VectorOperators.S2I, INTS, 0);
    }

    /** Floats of f16: the exponent moved by a product, as a shift alone would not do for the smallest values. */
    static FloatVector halves(long address) {
        IntVector bits = shorts(address);
        FloatVector small =
                bits.lanewise(VectorOperators.LSHL, 13).and(0x8fffe000).reinterpretAsFloats();
        // What had the largest exponent is to be infinite: 2^224 overflows for just that.
        return small.mul(0x1p112f).mul(0x1p112f).mul(0x1p-112f);
    }

    /** Floats of bf16. */
    static FloatVector brains(long address) {
        return shorts(address).lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    /** Unsigned bytes. */
    static IntVector bytes(long address) {
        if (COUNT == BYTES.length()) {
            ByteVector bytes = ByteVector.fromMemorySegment(BYTES, ALL, address, ORDER);
            return ((IntVector) bytes.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0));
        }
        return IntVector.broadcast(INTS, number(address))
                .lanewise(VectorOperators.LSHR, BYTE_SHIFTS)
                .and(255);
    }

    /** Signed bytes from unsigned ones. */
    static IntVector signed(IntVector bytes) {
        return bytes.lanewise(VectorOperators.LSHL, 24).lanewise(VectorOperators.ASHR, 24);
    }
}
