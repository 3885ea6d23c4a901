package uzu.app;

import java.util.ArrayList;
import java.util.List;

/** A table for a terminal or for Markdown; the first column is text, the others stand to the right. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heads) {
        rows.add(List.of(heads));
    }

    public void add(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells, not " + rows.getFirst().size());
        }
        rows.add(List.of(cells));
    }

    public String text() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    public String markdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                text.append("| --- ".repeat(rows.getFirst().size())).append("|\n");
            }
        }
        return text.toString();
    }
}
