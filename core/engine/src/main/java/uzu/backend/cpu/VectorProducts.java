package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static uzu.backend.cpu.MatrixLayout.VECTOR;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.VectorLanes.ADDRESSES;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.PAIR;
import static uzu.backend.cpu.VectorLanes.SHORTS;
import static uzu.backend.cpu.VectorLanes.WORDS;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.ints;
import static uzu.backend.cpu.VectorLanes.words;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Exact sums of products of int8 inputs with a pair of vectors' lanes: one for each group or, as {@link #parts} says,
 * for each half of it. Products of 16 bits are added in 16 bits, those of columns 4j and 4j + 1 apart from those of 4j +
 * 2 and 4j + 3, and what is added up at last fits: 16 · 15 · 127 of four bits, 16 · 16 · 127 of five with their offset
 * taken off, 8 · 31 · 127 without one, 8 · 32 · 127 of six. Until then it may wrap. Of 8 bits two products fit.
 */
final class VectorProducts {
    private static final int FOURS = MatrixLayout.GROUP / 4;

    private VectorProducts() {}

    /** Sums of a group: 1, or 2 where halves have scales of their own or would not fit together. */
    static int parts(MatrixLayout layout) {
        return switch (layout) {
            case Q2_K, Q3_K, Q6_K, Q5_1, Q5_K -> 2;
            default -> 1;
        };
    }

    /**
     * Products of one row: part s of the first vector to {@code sums[PAIR · s]}, of the second behind it.
     *
     * @param inputs {@link VectorInputs#words} of the first group
     * @param pairs {@link VectorInputs#pairs} of it
     */
    static void row(MatrixLayout layout, long weights, int groups, long inputs, long pairs, int[] sums) {
        if (layout.lowBits == 8) {
            bytes(layout, weights, groups, inputs, sums);
        } else if (layout.highBits == 0) {
            low(layout, weights, groups, inputs, pairs, sums);
            join(sums, 0, groups * parts(layout));
        } else {
            lowAndHigh(layout, weights, groups, inputs, pairs, sums);
            join(sums, 0, groups * parts(layout));
        }
    }

    private static void low(MatrixLayout layout, long weights, int groups, long inputs, long pairs, int[] sums) {
        int bits = layout.lowBits;
        int mask = ((1 << bits) - 1) * 0x00010001;
        int parts = parts(layout);
        short offset = (short) -layout.offset;
        for (int part = 0; part < groups * parts; part++) {
            int g = part / parts;
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            int from = part % parts * (FOURS / 2);
            ShortVector a = words(at(pairs + 4L * part)).mul(offset);
            ShortVector b = a;
            for (int j = from; j < from + FOURS / parts; j++) {
                long plane = at(group + (long) (j * bits >> 3) * VECTOR);
                long x = at(inputs + 8L * (g * FOURS + j));
                int place = j * bits & 7;
                IntVector first = ints(plane).lanewise(VectorOperators.LSHR, place);
                IntVector second = ints(plane + 4 * COUNT).lanewise(VectorOperators.LSHR, place);
                ShortVector even = words(x);
                ShortVector odd = words(x + 4);
                a = a.add(first.and(mask).reinterpretAsShorts().mul(even));
                b = b.add(second.and(mask).reinterpretAsShorts().mul(even));
                first = first.lanewise(VectorOperators.LSHR, 8).and(mask);
                second = second.lanewise(VectorOperators.LSHR, 8).and(mask);
                a = a.add(first.reinterpretAsShorts().mul(odd));
                b = b.add(second.reinterpretAsShorts().mul(odd));
            }
            a.reinterpretAsInts().intoArray(sums, part * PAIR);
            b.reinterpretAsInts().intoArray(sums, part * PAIR + COUNT);
        }
    }

    private static void lowAndHigh(MatrixLayout layout, long weights, int groups, long inputs, long pairs, int[] sums) {
        int bits = layout.lowBits;
        int highBits = layout.highBits;
        int mask = ((1 << bits) - 1) * 0x01010101;
        int highMask = ((1 << highBits) - 1) * 0x01010101;
        int parts = parts(layout);
        short offset = (short) -layout.offset;
        for (int part = 0; part < groups * parts; part++) {
            int g = part / parts;
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            int from = part % parts * (FOURS / 2);
            ShortVector a = words(at(pairs + 4L * part)).mul(offset);
            ShortVector b = a;
            for (int j = from; j < from + FOURS / parts; j++) {
                long plane = at(group + (long) (j * bits >> 3) * VECTOR);
                long high = at(group + (long) (bits + (j * highBits >> 3)) * VECTOR);
                long x = at(inputs + 8L * (g * FOURS + j));
                int place = j * bits & 7;
                int highPlace = j * highBits & 7;
                ShortVector even = words(x);
                ShortVector odd = words(x + 4);
                IntVector first =
                        ints(plane).lanewise(VectorOperators.LSHR, place).and(mask);
                IntVector second = ints(plane + 4 * COUNT)
                        .lanewise(VectorOperators.LSHR, place)
                        .and(mask);
                IntVector firstHigh = ints(high).lanewise(VectorOperators.LSHR, highPlace);
                IntVector secondHigh = ints(high + 4 * COUNT).lanewise(VectorOperators.LSHR, highPlace);
                first = first.or(firstHigh.and(highMask).lanewise(VectorOperators.LSHL, bits));
                second = second.or(secondHigh.and(highMask).lanewise(VectorOperators.LSHL, bits));
                a = a.add(first.and(0x00ff00ff).reinterpretAsShorts().mul(even));
                b = b.add(second.and(0x00ff00ff).reinterpretAsShorts().mul(even));
                first = first.lanewise(VectorOperators.LSHR, 8).and(0x00ff00ff);
                second = second.lanewise(VectorOperators.LSHR, 8).and(0x00ff00ff);
                a = a.add(first.reinterpretAsShorts().mul(odd));
                b = b.add(second.reinterpretAsShorts().mul(odd));
            }
            a.reinterpretAsInts().intoArray(sums, part * PAIR);
            b.reinterpretAsInts().intoArray(sums, part * PAIR + COUNT);
        }
    }

    private static void bytes(MatrixLayout layout, long weights, int groups, long inputs, int[] sums) {
        for (int g = 0; g < groups; g++) {
            long group = weights + layout.groupOffset(g) - layout.groupOffset(0);
            IntVector a = IntVector.zero(VectorLanes.INTS);
            IntVector b = a;
            for (int j = 0; j < FOURS; j++) {
                long plane = at(group + (long) j * VECTOR);
                long x = at(inputs + 8L * (g * FOURS + j));
                ShortVector even = words(x);
                ShortVector odd = words(x + 4);
                ShortVector first = ints(plane).reinterpretAsShorts();
                ShortVector second = ints(plane + 4 * COUNT).reinterpretAsShorts();
                ShortVector p = first.lanewise(VectorOperators.LSHL, 8)
                        .lanewise(VectorOperators.ASHR, 8)
                        .mul(even)
                        .add(first.lanewise(VectorOperators.ASHR, 8).mul(odd));
                ShortVector q = second.lanewise(VectorOperators.LSHL, 8)
                        .lanewise(VectorOperators.ASHR, 8)
                        .mul(even)
                        .add(second.lanewise(VectorOperators.ASHR, 8).mul(odd));
                a = a.add(p.reinterpretAsInts()
                                .lanewise(VectorOperators.LSHL, 16)
                                .lanewise(VectorOperators.ASHR, 16))
                        .add(p.reinterpretAsInts().lanewise(VectorOperators.ASHR, 16));
                b = b.add(q.reinterpretAsInts()
                                .lanewise(VectorOperators.LSHL, 16)
                                .lanewise(VectorOperators.ASHR, 16))
                        .add(q.reinterpretAsInts().lanewise(VectorOperators.ASHR, 16));
            }
            a.intoArray(sums, g * PAIR);
            b.intoArray(sums, g * PAIR + COUNT);
        }
    }

    /** Products of two rows with {@link VectorWords}; those of the second row lie {@code apart} behind in {@code sums}. */
    static void twoRows(
            MatrixLayout layout,
            short[] weights,
            int groups,
            long inputs,
            long inputs2,
            long pairs,
            long pairs2,
            int[] sums,
            int apart) {
        if (layout.lowBits == 8) {
            twoRowsOfBytes(weights, groups, inputs, inputs2, sums, apart);
        } else {
            int parts = parts(layout);
            short offset = (short) -layout.offset;
            twoRows(weights, groups * parts, 2 * FOURS / parts, offset, inputs, inputs2, pairs, pairs2, sums, apart);
            join(sums, 0, groups * parts);
            join(sums, apart, groups * parts);
        }
    }

    private static void twoRows(
            short[] weights,
            int parts,
            int pairsOfPart,
            short offset,
            long inputs,
            long inputs2,
            long pairs,
            long pairs2,
            int[] sums,
            int apart) {
        for (int part = 0; part < parts; part++) {
            ShortVector a = IntVector.broadcast(
                            VectorLanes.INTS, ALL.get(JAVA_INT_UNALIGNED, pairs + 4L * part & ADDRESSES))
                    .reinterpretAsShorts()
                    .mul(offset);
            ShortVector b = a;
            ShortVector c = IntVector.broadcast(
                            VectorLanes.INTS, ALL.get(JAVA_INT_UNALIGNED, pairs2 + 4L * part & ADDRESSES))
                    .reinterpretAsShorts()
                    .mul(offset);
            ShortVector d = c;
            for (int i = part * pairsOfPart; i < (part + 1) * pairsOfPart; i++) {
                ShortVector first = ShortVector.fromArray(SHORTS, weights, 2 * i * WORDS);
                ShortVector second = ShortVector.fromArray(SHORTS, weights, 2 * i * WORDS + WORDS);
                ShortVector x = IntVector.broadcast(
                                VectorLanes.INTS, ALL.get(JAVA_INT_UNALIGNED, inputs + 4L * i & ADDRESSES))
                        .reinterpretAsShorts();
                ShortVector x2 = IntVector.broadcast(
                                VectorLanes.INTS, ALL.get(JAVA_INT_UNALIGNED, inputs2 + 4L * i & ADDRESSES))
                        .reinterpretAsShorts();
                a = a.add(first.mul(x));
                b = b.add(second.mul(x));
                c = c.add(first.mul(x2));
                d = d.add(second.mul(x2));
            }
            int to = part * PAIR;
            a.reinterpretAsInts().intoArray(sums, to);
            b.reinterpretAsInts().intoArray(sums, to + COUNT);
            c.reinterpretAsInts().intoArray(sums, to + apart);
            d.reinterpretAsInts().intoArray(sums, to + apart + COUNT);
        }
    }

    private static void twoRowsOfBytes(short[] weights, int groups, long inputs, long inputs2, int[] sums, int apart) {
        for (int g = 0; g < groups; g++) {
            IntVector a = IntVector.zero(VectorLanes.INTS);
            IntVector b = a;
            IntVector c = a;
            IntVector d = a;
            for (int j = g * FOURS; j < (g + 1) * FOURS; j++) {
                ShortVector even = ShortVector.fromArray(SHORTS, weights, 4 * j * WORDS);
                ShortVector even2 = ShortVector.fromArray(SHORTS, weights, 4 * j * WORDS + WORDS);
                ShortVector odd = ShortVector.fromArray(SHORTS, weights, 4 * j * WORDS + 2 * WORDS);
                ShortVector odd2 = ShortVector.fromArray(SHORTS, weights, 4 * j * WORDS + 3 * WORDS);
                long x = at(inputs + 8L * j);
                long x2 = at(inputs2 + 8L * j);
                ShortVector xEven = words(x);
                ShortVector xOdd = words(x + 4);
                ShortVector x2Even = words(x2);
                ShortVector x2Odd = words(x2 + 4);
                IntVector both = even.mul(xEven).add(odd.mul(xOdd)).reinterpretAsInts();
                a = a.add(both.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16))
                        .add(both.lanewise(VectorOperators.ASHR, 16));
                both = even2.mul(xEven).add(odd2.mul(xOdd)).reinterpretAsInts();
                b = b.add(both.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16))
                        .add(both.lanewise(VectorOperators.ASHR, 16));
                both = even.mul(x2Even).add(odd.mul(x2Odd)).reinterpretAsInts();
                c = c.add(both.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16))
                        .add(both.lanewise(VectorOperators.ASHR, 16));
                both = even2.mul(x2Even).add(odd2.mul(x2Odd)).reinterpretAsInts();
                d = d.add(both.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16))
                        .add(both.lanewise(VectorOperators.ASHR, 16));
            }
            int to = g * PAIR;
            a.intoArray(sums, to);
            b.intoArray(sums, to + COUNT);
            c.intoArray(sums, to + apart);
            d.intoArray(sums, to + apart + COUNT);
        }
    }

    /** Adds the two words of each lane: a step of its own, as inlined in the loops it would be too much for C2. */
    private static void join(int[] sums, int from, int parts) {
        for (int i = from; i < from + parts * PAIR; i += COUNT) {
            IntVector pair = IntVector.fromArray(VectorLanes.INTS, sums, i);
            pair.lanewise(VectorOperators.LSHL, 16)
                    .lanewise(VectorOperators.ASHR, 16)
                    .add(pair.lanewise(VectorOperators.ASHR, 16))
                    .intoArray(sums, i);
        }
    }
}
