package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.VECTOR;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.WORDS;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.ints;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Quants of a pair of vectors' lanes as 16-bit words, so that several rows use them: for each four columns bytes 0 and
 * 2 of the first vector, of the second, then bytes 1 and 3 likewise. Offsets stay in them.
 */
final class VectorWords {
    private static final int FOURS = MatrixLayout.GROUP / 4;
    private static final int EVEN = 0x00ff00ff;

    private VectorWords() {}

    static void unpack(MatrixLayout layout, long weights, int groups, short[] words) {
        if (layout.lowBits == 8) {
            bytes(layout, weights, groups, words);
        } else if (layout.highBits == 0) {
            low(layout, weights, groups, words);
        } else {
            lowAndHigh(layout, weights, groups, words);
        }
    }

    private static void low(MatrixLayout layout, long weights, int groups, short[] words) {
        int bits = layout.lowBits;
        int mask = ((1 << bits) - 1) * 0x00010001;
        for (int g = 0; g < groups; g++) {
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            for (int j = 0; j < FOURS; j++) {
                long plane = at(group + (long) (j * bits >> 3) * VECTOR);
                int place = j * bits & 7;
                int to = (g * FOURS + j) * 4 * WORDS;
                IntVector first = ints(plane).lanewise(VectorOperators.LSHR, place);
                IntVector second = ints(plane + 4 * COUNT).lanewise(VectorOperators.LSHR, place);
                first.and(mask).reinterpretAsShorts().intoArray(words, to);
                second.and(mask).reinterpretAsShorts().intoArray(words, to + WORDS);
                first = first.lanewise(VectorOperators.LSHR, 8).and(mask);
                second = second.lanewise(VectorOperators.LSHR, 8).and(mask);
                first.reinterpretAsShorts().intoArray(words, to + 2 * WORDS);
                second.reinterpretAsShorts().intoArray(words, to + 3 * WORDS);
            }
        }
    }

    private static void lowAndHigh(MatrixLayout layout, long weights, int groups, short[] words) {
        int bits = layout.lowBits;
        int highBits = layout.highBits;
        int mask = ((1 << bits) - 1) * 0x01010101;
        int highMask = ((1 << highBits) - 1) * 0x01010101;
        for (int g = 0; g < groups; g++) {
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            for (int j = 0; j < FOURS; j++) {
                long plane = at(group + (long) (j * bits >> 3) * VECTOR);
                long high = at(group + (long) (bits + (j * highBits >> 3)) * VECTOR);
                int place = j * bits & 7;
                int highPlace = j * highBits & 7;
                int to = (g * FOURS + j) * 4 * WORDS;
                IntVector first =
                        ints(plane).lanewise(VectorOperators.LSHR, place).and(mask);
                IntVector second = ints(plane + 4 * COUNT)
                        .lanewise(VectorOperators.LSHR, place)
                        .and(mask);
                IntVector firstHigh = ints(high).lanewise(VectorOperators.LSHR, highPlace);
                IntVector secondHigh = ints(high + 4 * COUNT).lanewise(VectorOperators.LSHR, highPlace);
                first = first.or(firstHigh.and(highMask).lanewise(VectorOperators.LSHL, bits));
                second = second.or(secondHigh.and(highMask).lanewise(VectorOperators.LSHL, bits));
                first.and(EVEN).reinterpretAsShorts().intoArray(words, to);
                second.and(EVEN).reinterpretAsShorts().intoArray(words, to + WORDS);
                first = first.lanewise(VectorOperators.LSHR, 8).and(EVEN);
                second = second.lanewise(VectorOperators.LSHR, 8).and(EVEN);
                first.reinterpretAsShorts().intoArray(words, to + 2 * WORDS);
                second.reinterpretAsShorts().intoArray(words, to + 3 * WORDS);
            }
        }
    }

    private static void bytes(MatrixLayout layout, long weights, int groups, short[] words) {
        for (int g = 0; g < groups; g++) {
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            for (int j = 0; j < FOURS; j++) {
                long plane = at(group + (long) j * VECTOR);
                int to = (g * FOURS + j) * 4 * WORDS;
                ShortVector first = ints(plane).reinterpretAsShorts();
                ShortVector second = ints(plane + 4 * COUNT).reinterpretAsShorts();
                first.lanewise(VectorOperators.LSHL, 8)
                        .lanewise(VectorOperators.ASHR, 8)
                        .intoArray(words, to);
                second.lanewise(VectorOperators.LSHL, 8)
                        .lanewise(VectorOperators.ASHR, 8)
                        .intoArray(words, to + WORDS);
                first.lanewise(VectorOperators.ASHR, 8).intoArray(words, to + 2 * WORDS);
                second.lanewise(VectorOperators.ASHR, 8).intoArray(words, to + 3 * WORDS);
            }
        }
    }
}
