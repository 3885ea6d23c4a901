package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class NgramTablesTest {
    private static final long FINGERPRINT = 0x123456789ABCDEFL;

    private final NgramTables.Successors found = new NgramTables.Successors();

    @Test
    void whatWasAddedIsFound() {
        NgramTables tables = NgramTables.of(small(), "small");
        assertEquals(FINGERPRINT, tables.fingerprint());
        assertEquals(70_001, tables.vocabulary());
        assertEquals(2, tables.longest());
        assertEquals(1.5f, tables.strength(1));
        assertEquals(2.5f, tables.strength(2));

        assertTrue(tables.find(1, NgramTablesBuilder.hash(7), found));
        assertEquals(4, found.count);
        assertArrayEquals(new int[] {70_000, 3}, Arrays.copyOf(found.tokens, found.size));
        assertEquals(1, found.probabilities[0]);
        assertEquals(0.1235, found.probabilities[1], 1e-4);

        assertTrue(tables.find(2, NgramTablesBuilder.hash(5, 7), found));
        assertEquals(16_384, found.count);
        assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7, 8}, Arrays.copyOf(found.tokens, found.size));
        assertEquals(0.0198, found.probabilities[7], 1e-4);

        assertFalse(tables.find(2, NgramTablesBuilder.hash(7, 5), found));
        assertFalse(tables.find(1, NgramTablesBuilder.hash(8), found));
    }

    @Test
    void thousandsOfContextsAreTheirOwnWhateverTheOrderTheyCameIn() {
        int count = 20_000;
        byte[] rising = many(count, false);
        assertArrayEquals(rising, many(count, true));
        NgramTables tables = NgramTables.of(rising, "many");
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            boolean right = tables.find(1, NgramTablesBuilder.hash(i), found)
                    && found.size == 1 + i % 8
                    && found.tokens[0] == i * 3;
            wrong += right ? 0 : 1;
        }
        // Two of a group have the same tag of 12 bits: 20,000 · 5 / 2 / 4096.
        assertTrue(wrong < 60, wrong + " are wrong");
    }

    @Test
    void aFileThatIsCutAnywhereIsRefusedByName() {
        byte[] whole = small();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            UzuException.ModelCorrupt e =
                    assertThrows(UzuException.ModelCorrupt.class, () -> NgramTables.of(cut, "cut.bin"));
            assertEquals("cut.bin", e.details().get("path"));
            assertTrue(e.details().containsKey("field"), e.getMessage());
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        assertThrows(UzuException.ModelCorrupt.class, () -> NgramTables.of(longer, "longer"));
    }

    @Test
    void noBytesCrashTheReader() {
        SplittableRandom random = new SplittableRandom(20261129);
        byte[] whole = small();
        for (int round = 0; round < 20_000; round++) {
            byte[] broken = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            }
            try {
                NgramTables tables = NgramTables.of(broken, "broken");
                for (int length = 1; length <= tables.longest(); length++) {
                    for (int i = 0; i < 10; i++) {
                        if (tables.find(
                                length,
                                random.nextInt(3) == 0 ? NgramTablesBuilder.hash(7) : random.nextLong(),
                                found)) {
                            for (int at = 0; at < found.size; at++) {
                                assertTrue(found.tokens[at] >= 0 && found.tokens[at] < tables.vocabulary());
                            }
                        }
                    }
                }
            } catch (UzuException.ModelCorrupt | UzuException.ModelUnsupported expected) {
                assertEquals("broken", expected.details().get("path"));
            }
        }
    }

    @Test
    void aLaterVersionIsUnsupported() {
        byte[] later = small();
        later[8]++;
        UzuException.ModelUnsupported e =
                assertThrows(UzuException.ModelUnsupported.class, () -> NgramTables.of(later, "later"));
        assertEquals("version", e.details().get("field"));
    }

    @Test
    void aFileIsReadAndAFolderIsNone(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("tables.bin");
        Files.write(file, small());
        assertEquals(FINGERPRINT, NgramTables.read(file).fingerprint());
        assertEquals(
                folder.toString(),
                assertThrows(UzuException.ModelCorrupt.class, () -> NgramTables.read(folder))
                        .details()
                        .get("path"));
    }

    private static byte[] small() {
        NgramTablesBuilder builder = new NgramTablesBuilder(FINGERPRINT, 1.5f, 2.5f);
        builder.add(1, NgramTablesBuilder.hash(7), 4.2, new int[] {70_000, 3}, new double[] {1, 0.12});
        builder.add(2, NgramTablesBuilder.hash(5, 7), 1e9, new int[] {1, 2, 3, 4, 5, 6, 7, 8}, new double[] {
            0.5, 0.2, 0.1, 0.05, 0.05, 0.05, 0.04, 0.001
        });
        return builder.build();
    }

    private static byte[] many(int count, boolean falling) {
        NgramTablesBuilder builder = new NgramTablesBuilder(FINGERPRINT, 1);
        for (int k = 0; k < count; k++) {
            int i = falling ? count - 1 - k : k;
            int[] tokens = new int[1 + i % 8];
            double[] probabilities = new double[tokens.length];
            for (int at = 0; at < tokens.length; at++) {
                tokens[at] = i * 3 + at;
                probabilities[at] = 0.1;
            }
            builder.add(1, NgramTablesBuilder.hash(i), 1 + i % 100, tokens, probabilities);
        }
        return builder.build();
    }
}
