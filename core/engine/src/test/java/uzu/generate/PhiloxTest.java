package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PhiloxTest {
    /** The vectors published with the generator, philox4x32-10. */
    @Test
    void givesThePublishedWords() {
        assertArrayEquals(new int[] {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, block(0L, 0, 0, 0, 0));
        assertArrayEquals(new int[] {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}, block(-1L, -1, -1, -1, -1));
        assertArrayEquals(
                new int[] {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
                block(0x299f31d0a4093822L, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344));
    }

    @Test
    void smallSeedsAndPositionsShareNoKey() {
        Set<Long> keys = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            for (int position = 0; position < 1000; position++) {
                keys.add(Philox.key(seed, position));
            }
        }
        assertEquals(100_000, keys.size());
    }

    private static int[] block(long key, int c0, int c1, int c2, int c3) {
        int[] words = new int[4];
        Philox.block(key, c0, c1, c2, c3, words);
        return words;
    }
}
