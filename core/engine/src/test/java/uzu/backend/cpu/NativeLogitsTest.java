package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.backend.Candidates;
import uzu.backend.Tally;

/** The scans in C give what the specification gives. */
class NativeLogitsTest {
    private static final int MOST = 10_000;
    private static final int TRIALS = 500;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Memory memory = new Memory();
    private final long row = memory.allocate(4L * MOST, "a test");
    private NativeLogits twin;

    private float[] logits = {};
    private float temperature;
    private float largest;

    @BeforeEach
    void needsTheLibrary() {
        System.out.println("NativeLogitsTest seed " + seed);
        twin = NativeLogits.choose(CpuOptions.Kernels.AUTO, memory, MOST).orElse(null);
        assumeTrue(twin != null, "no kernels in C for this machine");
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private ArrayLogits some() {
        logits = new float[1 + random.nextInt(random.nextBoolean() ? MOST : 100)];
        float spread = new float[] {0, 0.1f, 3, 20}[random.nextInt(4)];
        float centre = (float) (30 * random.nextGaussian());
        for (int i = 0; i < logits.length; i++) {
            logits[i] = random.nextInt(50) == 0
                    ? Float.NEGATIVE_INFINITY
                    : centre + spread * Math.round(20 * random.nextGaussian()) / 20;
        }
        logits[random.nextInt(logits.length)] = centre;
        temperature = random.nextInt(10) == 0 ? 1e-38f : 0.05f + 2 * random.nextFloat();
        show();
        ArrayLogits scalar = new ArrayLogits(logits.clone());
        largest = logits[scalar.largest(logits.length)];
        return scalar;
    }

    private void show() {
        MemorySegment.copy(logits, 0, Memory.ALL, JAVA_FLOAT, row, logits.length);
        twin.show(row);
    }

    private void same(Candidates expected, Candidates actual) {
        int n = expected.size;
        assertArrayEquals(Arrays.copyOf(expected.tokens, n), Arrays.copyOf(actual.tokens, actual.size));
        assertArrayEquals(Arrays.copyOf(expected.values, n), Arrays.copyOf(actual.values, actual.size));
    }

    @Test
    void theLargestIsTheFirstOfEqualOnes() {
        for (int trial = 0; trial < TRIALS; trial++) {
            ArrayLogits scalar = some();
            int count = 1 + random.nextInt(logits.length);
            assertEquals(scalar.largest(count), twin.largest(count));
        }
    }

    @Test
    void whatIsNoNumberIsFoundAnywhere() {
        for (int trial = 0; trial < TRIALS; trial++) {
            some();
            int at = random.nextInt(logits.length);
            logits[at] = Float.NaN;
            show();
            assertEquals(-1, twin.largest(logits.length));
            assertTrue(at == 0 || twin.largest(at) >= 0);
        }
    }

    @Test
    void talliesAreTheSameBits() {
        for (int trial = 0; trial < TRIALS; trial++) {
            ArrayLogits scalar = some();
            float[] reaches = new float[Tally.SIZE];
            for (int i = 0; i < reaches.length; i++) {
                reaches[i] = 40 * random.nextFloat();
            }
            Arrays.sort(reaches);
            boolean weigh = random.nextInt(4) > 0;
            Tally expected = new Tally(reaches);
            Tally actual = new Tally(reaches);
            scalar.tally(logits.length, largest, temperature, weigh, expected);
            twin.tally(logits.length, largest, temperature, weigh, actual);
            assertArrayEquals(expected.counts, actual.counts);
            assertArrayEquals(expected.weights, actual.weights);
        }
    }

    @Test
    void gathersTheSameTokens() {
        Candidates expected = new Candidates();
        Candidates actual = new Candidates();
        for (int trial = 0; trial < TRIALS; trial++) {
            ArrayLogits scalar = some();
            float least = random.nextInt(4) == 0 ? -Float.MAX_VALUE : -20 * random.nextFloat();
            scalar.gather(logits.length, largest, temperature, least, 1, expected);
            twin.gather(logits.length, largest, temperature, least, 1, actual);
            same(expected, actual);
            scalar.gather(logits.length, largest, temperature, expected.values[0], 1, expected);
            twin.gather(logits.length, largest, temperature, actual.values[0], 1, actual);
            same(expected, actual);
            float value = expected.values[random.nextInt(expected.size)];
            scalar.gather(logits.length, largest, temperature, least, value, expected);
            twin.gather(logits.length, largest, temperature, least, value, actual);
            same(expected, actual);
        }
    }

    @Test
    void aChangeIsSeenAndLeavesThePassAlone() {
        some();
        twin.set(0, 1000);
        assertEquals(0, twin.largest(logits.length));
        assertEquals(1000, twin.get(0));
        assertEquals(logits[0], Memory.ALL.get(JAVA_FLOAT, row));
        twin.show(row);
        assertEquals(logits[0], twin.get(0));
    }

    @Test
    void nothingIsReadWhenThePassIsOver() {
        some();
        twin.hide();
        assertThrows(UzuException.InvalidState.class, () -> twin.largest(1));
        twin.show(row);
        assertThrows(IndexOutOfBoundsException.class, () -> twin.largest(MOST + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> twin.set(MOST, 0));
    }
}
