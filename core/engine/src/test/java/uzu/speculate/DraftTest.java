package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DraftTest {
    @Test
    void findsTheChildThatCarriesAToken() {
        Draft draft = new Draft(8, 0);
        draft.begin(1, Constraint.NONE);
        int left = draft.add(0, 2, 0.5f);
        int leaf = draft.add(left, 3, 0.4f);
        int right = draft.add(0, 3, 0.3f);
        assertEquals(left, draft.child(0, 2));
        assertEquals(right, draft.child(0, 3));
        assertEquals(leaf, draft.child(left, 3));
        assertEquals(-1, draft.child(leaf, 3));
        assertEquals(-1, draft.child(right, 4));
        assertEquals(2, draft.depth(leaf));
        draft.cut(2);
        assertEquals(-1, draft.child(0, 3));
    }
}
