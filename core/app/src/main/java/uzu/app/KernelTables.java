package uzu.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import uzu.backend.cpu.AttentionSpeed;
import uzu.backend.cpu.MatrixSpeed;
import uzu.backend.cpu.RowSpeed;
import uzu.format.TensorType;

/** The tables of {@code bench kernels}. */
final class KernelTables {
    private KernelTables() {}

    /** Percentages are of the lesser of what memory and what the processor allow. */
    static TextTable matrices(KernelFigures figures, int threads, int[] rows) {
        List<String> heads = new ArrayList<>();
        heads.add(threads == 1 ? "1 thread" : threads + " threads");
        for (int count : rows) {
            if (count == 1) {
                heads.add("1 row, GB/s");
            }
            heads.add(count + (count == 1 ? " row, " : " rows, ") + "G/s");
        }
        TextTable table = new TextTable(heads.toArray(String[]::new));
        for (TensorType type : TensorType.values()) {
            List<String> cells = new ArrayList<>();
            cells.add(type.name());
            for (MatrixSpeed.Figure figure : figures.matrices()) {
                if (figure.type() == type && figure.threads() == threads) {
                    if (figure.rows() == 1) {
                        cells.add(tenths(figure.bytesPerSecond() / 1e9));
                    }
                    cells.add(products(figure, figures.limitsOf(threads)));
                }
            }
            if (cells.size() > 1) {
                table.add(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    private static String products(MatrixSpeed.Figure figure, KernelLimits limits) {
        double limit =
                limits.products(!figure.type().isQuantized(), figure.productsPerSecond() / figure.bytesPerSecond());
        return "%s (%.0f %%)"
                .formatted(tenths(figure.productsPerSecond() / 1e9), 100 * figure.productsPerSecond() / limit);
    }

    static TextTable attention(KernelFigures figures) {
        TextTable table = new TextTable(
                "keys and values", "threads", "rows", "GB/s", "of memory", "multiply-adds, G/s", "of floats");
        for (AttentionSpeed.Figure figure : figures.attention()) {
            KernelLimits limits = figures.limitsOf(figure.threads());
            // Many rows meet the same keys in the caches.
            boolean reads = figure.rows() == 1;
            table.add(
                    figure.cache().name(),
                    Integer.toString(figure.threads()),
                    Integer.toString(figure.rows()),
                    reads ? tenths(figure.bytesPerSecond() / 1e9) : "",
                    reads ? percent(figure.bytesPerSecond() / limits.readBytesPerSecond()) : "",
                    tenths(figure.productsPerSecond() / 1e9),
                    limits.floatProductsPerSecond()
                            .map(limit -> percent(figure.productsPerSecond() / limit))
                            .orElse(""));
        }
        return table;
    }

    static TextTable rows(KernelFigures figures) {
        TextTable table = new TextTable("a row of 2048, 1 thread", "GB/s");
        for (RowSpeed.Figure figure : figures.rows()) {
            table.add(figure.operation(), tenths(figure.bytesPerSecond() / 1e9));
        }
        return table;
    }

    static TextTable team(KernelFigures figures) {
        TextTable table = new TextTable("threads", "from step to step, µs");
        figures.nanosecondsPerStep()
                .forEach((threads, nanoseconds) ->
                        table.add(threads.toString(), String.format(Locale.ROOT, "%.2f", nanoseconds / 1e3)));
        return table;
    }

    static TextTable sampling(KernelFigures figures, int vocabulary) {
        TextTable table = new TextTable("a token of " + vocabulary, "ms");
        figures.sampling()
                .forEach((name, seconds) -> table.add(name, String.format(Locale.ROOT, "%.3f", seconds * 1e3)));
        return table;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
