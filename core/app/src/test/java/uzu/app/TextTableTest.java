package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TextTableTest {
    private static TextTable table() {
        TextTable table = new TextTable("", "GB/s", "note");
        table.add("norm", "7.5", "");
        table.add("rotate", "123.4", "ok");
        return table;
    }

    @Test
    void alignsColumnsForATerminal() {
        assertEquals("""
                         GB/s  note
                norm      7.5
                rotate  123.4    ok
                """, table().text());
    }

    @Test
    void writesMarkdown() {
        assertEquals("""
                |  | GB/s | note |
                | --- | --- | --- |
                | norm | 7.5 |  |
                | rotate | 123.4 | ok |
                """, table().markdown());
    }

    @Test
    void aRowHasAsManyCellsAsTheHead() {
        assertThrows(IllegalArgumentException.class, () -> table().add("norm", "1"));
    }
}
