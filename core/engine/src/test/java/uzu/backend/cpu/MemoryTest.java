package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

class MemoryTest {
    @Test
    void piecesAreZeroedAlignedAndCounted() {
        try (Memory memory = new Memory()) {
            for (long bytes : new long[] {1, 4, 4096, 100_001, (2L << 20) + 3, 5L << 20}) {
                long before = memory.bytes();
                long address = memory.allocate(bytes, "a test");
                assertEquals(0, address % Memory.ALIGNMENT);
                assertEquals(before + bytes, memory.bytes());
                for (long i = 0; i < bytes; i += 1 + bytes / 1000) {
                    assertEquals(0, Memory.ALL.get(ValueLayout.JAVA_BYTE, address + i));
                }
                Memory.ALL.set(ValueLayout.JAVA_BYTE, address + bytes - 1, (byte) 1);
            }
        }
    }

    @Test
    void freeingLowersTheCountOnce() {
        try (Memory memory = new Memory()) {
            long first = memory.allocate(3L << 20, "a test");
            memory.allocate(10, "a test");
            memory.free(first);
            memory.free(first);
            assertEquals(10, memory.bytes());
        }
    }

    @Test
    void tooMuchIsATypedErrorWithBothFigures() {
        try (Memory memory = new Memory()) {
            var error = assertThrows(UzuException.OutOfMemory.class, () -> memory.allocate(1L << 46, "the matrix w"));
            assertEquals("the matrix w", error.details().get("purpose"));
            assertEquals("70368744177664", error.details().get("bytes"));
            assertTrue(Long.parseLong(error.details().get("available")) > 0);
            assertEquals(0, memory.bytes());
        }
    }

    @Test
    void aClosedMemoryRefusesAndClosesTwice() {
        Memory memory = new Memory();
        memory.close();
        memory.close();
        assertThrows(UzuException.Closed.class, () -> memory.allocate(1, "a test"));
    }
}
