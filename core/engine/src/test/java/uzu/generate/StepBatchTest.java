package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import uzu.backend.Sequence;

class StepBatchTest {
    @Test
    void findsTheChildThatCarriesAToken() {
        ToyExecutable executable = new ToyExecutable(8, ToyExecutable.hashed());
        Sequence first = executable.newSequence();
        Sequence second = executable.newSequence();
        StepBatch batch = new StepBatch(8);
        int root = batch.add(first, 1, -1, true);
        int left = batch.add(first, 2, root, true);
        int leaf = batch.add(first, 3, left, true);
        int right = batch.add(first, 3, root, true);
        int other = batch.add(second, 4, -1, true);
        assertEquals(left, batch.child(root, 2));
        assertEquals(right, batch.child(root, 3));
        assertEquals(leaf, batch.child(left, 3));
        assertEquals(-1, batch.child(leaf, 3));
        assertEquals(-1, batch.child(right, 4));
        assertEquals(-1, batch.child(other, 4));
        assertEquals(3, batch.free());
        batch.clear();
        assertEquals(8, batch.free());
    }
}
