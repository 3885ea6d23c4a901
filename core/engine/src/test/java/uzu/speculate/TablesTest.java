package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TablesTest {
    /** After 1: 2 or 3. After 9, 1: 3 or 4. */
    private static Tables tables() {
        NgramTablesBuilder builder = new NgramTablesBuilder(0, 2, 2);
        builder.add(1, NgramTablesBuilder.hash(1), 2, new int[] {2, 3}, new double[] {1, 0.77});
        builder.add(2, NgramTablesBuilder.hash(9, 1), 2, new int[] {3, 4}, new double[] {1, 0.77});
        NgramTables tables = NgramTables.of(builder.build(), "test");
        return new Tables(() -> tables);
    }

    @Test
    void contextsAreMixedWithShorterOnes() {
        // After 1: half of what the table says, as nothing counts as much. After 9, 1: half of each.
        assertEquals("3:0.692 4:0.385 2:0.250", proposed(tables(), new int[] {9, 1}));
        assertEquals("2:0.500 3:0.385", proposed(tables(), new int[] {8, 1}));
        assertEquals("2:0.500 3:0.385", proposed(tables(), new int[] {1}));
        assertEquals("", proposed(tables(), new int[] {9, 1, 7}));
    }

    @Test
    void draftedTokensAreContext() {
        Proposer proposer = tables().proposer();
        Draft draft = new Draft(4, 1);
        draft.begin(9);
        int node = draft.add(0, 1, 0.5f);
        proposer.begin(Spelled.path(5, 9), Conditions.GREEDY);
        assertEquals("3:0.692 4:0.385 2:0.250", Spelled.proposed(proposer, draft, node));
    }

    @Test
    void withoutTablesNothingIsProposed() {
        assertEquals("", proposed(new Tables(() -> null), new int[] {9, 1}));
    }

    private static String proposed(Tables tables, int... path) {
        return Spelled.proposed(tables.proposer(), path);
    }
}
