package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.bridge.Resource.OpenQueue;
import uzu.bridge.Resource.OpenStream;

class HandlesTest {
    private final Handles handles = new Handles();

    @Test
    void aHandleGivesBackItsResource() {
        OpenQueue queue = queue();
        long handle = handles.add(queue, 0);
        assertNotEquals(0, handle);
        assertSame(queue, handles.get(handle, OpenQueue.class));
    }

    @Test
    void aRemovedHandleIsClosedForEverEvenWhenItsSlotIsTakenAgain() {
        long first = handles.add(queue(), 0);
        assertEquals(1, handles.remove(first).size());
        assertThrows(UzuException.Closed.class, () -> handles.get(first, OpenQueue.class));
        long second = handles.add(queue(), 0);
        assertNotEquals(first, second);
        assertThrows(UzuException.Closed.class, () -> handles.get(first, OpenQueue.class));
        assertEquals(List.of(), handles.remove(first));
        assertEquals(1, handles.remove(second).size());
    }

    @Test
    void anotherKindOfHandleIsRefusedAndNamed() {
        long handle = handles.add(queue(), 0);
        UzuException refused =
                assertThrows(UzuException.InvalidArgument.class, () -> handles.get(handle, OpenStream.class));
        assertTrue(refused.getMessage().contains("queue"), refused.getMessage());
    }

    @Test
    void numbersThatNeverWereHandlesAreRefused() {
        handles.add(queue(), 0);
        for (long number : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 49, 5L << 49 | 7, 6L << 49}) {
            assertThrows(
                    UzuException.class, () -> handles.get(number, OpenQueue.class), () -> Long.toHexString(number));
        }
    }

    @Test
    void removingAnOwnerRemovesWhatItOwnsFirst() {
        OpenQueue engine = queue();
        OpenQueue session = queue();
        OpenQueue stream = queue();
        long owner = handles.add(engine, 0);
        long child = handles.add(session, owner);
        long grandchild = handles.add(stream, child);
        long other = handles.add(queue(), 0);
        assertEquals(List.of(stream, session, engine), handles.remove(owner));
        assertThrows(UzuException.Closed.class, () -> handles.get(grandchild, OpenQueue.class));
        assertThrows(UzuException.Closed.class, () -> handles.add(queue(), owner));
        handles.get(other, OpenQueue.class);
    }

    @Test
    void handlesFitTheIntegersOfJavaScript() {
        long handle = 0;
        for (int i = 0; i < 1000; i++) {
            handle = handles.add(queue(), 0);
            handles.remove(handle);
        }
        assertTrue(handle > 0 && handle < 1L << 53);
    }

    private static OpenQueue queue() {
        return new OpenQueue(new StreamQueue());
    }
}
