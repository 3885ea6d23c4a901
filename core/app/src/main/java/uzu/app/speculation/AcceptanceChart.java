package uzu.app.speculation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far drafts were followed with all drafters: for each task the share of passes that accepted at least so many
 * tokens. An SVG with a panel for each model.
 */
record AcceptanceChart(List<ModelFigures> models) {
    private static final int DEEPEST = 12;
    private static final int WIDTH = 430;
    private static final int HEIGHT = 340;
    private static final int LEFT = 48;
    private static final int RIGHT = 14;
    private static final int TOP = 40;
    private static final int BOTTOM = 46;
    private static final int KEY_WIDTH = 150;

    private static final List<String> COLOURS =
            List.of("#1b5e9b", "#d9641e", "#2b8a3e", "#8a3ea8", "#b8860b", "#6b6b6b");

    String svg() {
        int width = WIDTH * models.size() + KEY_WIDTH;
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n",
                width,
                HEIGHT,
                width,
                HEIGHT);
        List<String> tasks = new ArrayList<>();
        for (int panel = 0; panel < models.size(); panel++) {
            panel(svg, panel * WIDTH, models.get(panel), tasks);
        }
        key(svg, WIDTH * models.size(), tasks);
        return svg.append("</svg>\n").toString();
    }

    private void panel(StringBuilder svg, int x, ModelFigures model, List<String> tasks) {
        add(svg, "<text x=\"%d\" y=\"20\" font-weight=\"bold\">%s</text>%n", x + LEFT, escaped(model.file()));
        for (int tenths = 0; tenths <= 10; tenths += 2) {
            double y = y(tenths / 10.0);
            add(
                    svg,
                    "<path d=\"M%d %.1fH%d\" stroke=\"#e0e0e0\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\""
                            + " fill=\"#555555\">%d %%</text>%n",
                    x + LEFT,
                    y,
                    x + WIDTH - RIGHT,
                    x + LEFT - 6,
                    y + 4,
                    tenths * 10);
        }
        for (int depth = 1; depth <= DEEPEST; depth++) {
            add(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">%d</text>%n",
                    x(x, depth),
                    HEIGHT - BOTTOM + 18,
                    depth);
        }
        add(
                svg,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">%s</text>%n",
                x + (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 8,
                "drafted tokens accepted by a pass, at least");
        SpeculationReport report = new SpeculationReport(model);
        for (SpeculationReport.Group group : report.groups()) {
            Totals totals = report.totals(group, Variant.AUTO);
            if (totals.knowsDepths()) {
                if (!tasks.contains(group.task())) {
                    tasks.add(group.task());
                }
                line(svg, x, totals, colour(tasks.indexOf(group.task())), isGreedy(group));
            }
        }
    }

    private static void line(StringBuilder svg, int x, Totals totals, String colour, boolean solid) {
        StringBuilder path = new StringBuilder();
        for (int depth = 1; depth <= DEEPEST; depth++) {
            add(path, "%s%.1f %.1f", depth == 1 ? "M" : "L", x(x, depth), y(totals.reaching(depth)));
        }
        add(
                svg,
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>%n",
                path,
                colour,
                solid ? "" : " stroke-dasharray=\"5 4\"");
    }

    private static void key(StringBuilder svg, int x, List<String> tasks) {
        int y = TOP + 8;
        for (int i = 0; i < tasks.size(); i++) {
            keyLine(svg, x, y, colour(i), "", tasks.get(i));
            y += 20;
        }
        keyLine(svg, x, y + 12, "#000000", "", "greedy");
        keyLine(svg, x, y + 32, "#000000", " stroke-dasharray=\"5 4\"", "with temperature");
    }

    private static void keyLine(StringBuilder svg, int x, int y, String colour, String dashes, String text) {
        add(
                svg,
                "<path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"2\"%s/><text x=\"%d\" y=\"%d\">%s</text>%n",
                x,
                y,
                colour,
                dashes,
                x + 30,
                y + 4,
                text);
    }

    private static boolean isGreedy(SpeculationReport.Group group) {
        return group.sampling().equals(Sampling.GREEDY.title());
    }

    private static double x(int panel, int depth) {
        return panel + LEFT + (depth - 0.5) * (WIDTH - LEFT - RIGHT) / DEEPEST;
    }

    private static double y(double share) {
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
    }

    private static String colour(int task) {
        return COLOURS.get(task % COLOURS.size());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static void add(StringBuilder to, String format, Object... values) {
        to.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
