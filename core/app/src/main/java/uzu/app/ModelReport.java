package uzu.app;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tables of {@code bench model}. Speeds are medians of the rounds; ratios are medians of the rounds' ratios, with
 * the smallest and the largest.
 *
 * @param readLimits bytes a second that memory gave in the same run, by threads
 */
record ModelReport(Map<Integer, Double> readLimits) {
    TextTable table(ModelFigures figures) {
        boolean peer = figures.timings().stream().anyMatch(Timing::hasPeer);
        TextTable table = peer
                ? new TextTable(
                        "",
                        "threads",
                        "uzu",
                        "llama.cpp",
                        "",
                        "ratio",
                        "min–max",
                        "1-row passes",
                        "of memory",
                        "target")
                : new TextTable("", "threads", "uzu", "min–max", "", "1-row passes", "of memory");
        for (Timing timing : figures.timings()) {
            if (peer) {
                addCompared(table, figures, timing);
            } else {
                addOwn(table, figures, timing);
            }
        }
        return table;
    }

    /** What memory lets pass, in the words of a report. */
    String limits(ModelFigures figures) {
        StringBuilder text = new StringBuilder("a row reads %.1f MB of weights: ".formatted(figures.readBytes() / 1e6));
        String joint = "";
        for (var limit : new TreeMap<>(readLimits).entrySet()) {
            text.append(joint)
                    .append("%.1f GB/s on %s: at most %.1f tokens/s"
                            .formatted(
                                    limit.getValue() / 1e9,
                                    threads(limit.getKey()),
                                    memoryLimit(figures, limit.getKey())));
            joint = "; ";
        }
        return text.toString();
    }

    private void addOwn(TextTable table, ModelFigures figures, Timing timing) {
        Spread own = speed(timing, timing.ours());
        table.add(
                timing.measure().toString(),
                Integer.toString(timing.threads()),
                number(own.median()),
                number(own.min()) + "–" + number(own.max()),
                unit(timing.measure()),
                cost(figures, timing),
                ofMemory(figures, timing));
    }

    private void addCompared(TextTable table, ModelFigures figures, Timing timing) {
        Spread ratio = timing.ratio();
        table.add(
                timing.measure().toString(),
                Integer.toString(timing.threads()),
                number(speed(timing, timing.ours()).median()),
                number(speed(timing, timing.theirs()).median()),
                unit(timing.measure()),
                twoPlaces(ratio.median()),
                twoPlaces(ratio.min()) + "–" + twoPlaces(ratio.max()),
                cost(figures, timing),
                ofMemory(figures, timing),
                verdicts(figures, timing));
    }

    private String verdicts(ModelFigures figures, Timing timing) {
        Optional<Targets> targets = Targets.of(figures.file());
        StringBuilder text = new StringBuilder();
        targetRatio(figures, timing).ifPresent(target -> {
            boolean lowered =
                    target < targets.flatMap(t -> t.ratio(timing.measure())).orElse(0.0);
            text.append("≥ ").append(twoPlaces(target)).append(lowered ? " (memory)" : "");
            text.append(verdict(figures, timing.ratio().median() >= target));
        });
        if (timing.measure() instanceof Measure.Rows rows && rows.tokens() == 8) {
            targets.ifPresent(t -> figures.cost(timing)
                    .ifPresent(cost -> text.append(text.isEmpty() ? "" : ", ")
                            .append("cost ≤ ")
                            .append(t.cost())
                            .append(verdict(figures, cost.median() <= t.cost()))));
        }
        return text.toString();
    }

    /** The ratio to reach: of a decode the lower of the target's and that of 0.92 of what memory lets pass. */
    Optional<Double> targetRatio(ModelFigures figures, Timing timing) {
        return Targets.of(figures.file())
                .flatMap(targets -> targets.ratio(timing.measure()))
                .map(target -> {
                    if (!isShortDecode(timing)) {
                        return target;
                    }
                    double peer = Timing.rate(timing.measure(), timing.theirs()).median();
                    return Math.min(target, Targets.OF_MEMORY_LIMIT * memoryLimit(figures, timing.threads()) / peer);
                });
    }

    /** The targets are for one instruction set; elsewhere a ratio is only reported. */
    private static String verdict(ModelFigures figures, boolean met) {
        return figures.kernels().equals(Targets.KERNELS) ? met ? " ok" : " missed" : " report";
    }

    private double memoryLimit(ModelFigures figures, int threads) {
        return readLimits.getOrDefault(threads, Double.NaN) / figures.readBytes();
    }

    private String ofMemory(ModelFigures figures, Timing timing) {
        if (!isShortDecode(timing)) {
            return "";
        }
        double rate = Timing.rate(timing.measure(), timing.ours()).median();
        return "%.0f %%".formatted(100 * rate / memoryLimit(figures, timing.threads()));
    }

    /** Where the weights are nearly all that is read. */
    private boolean isShortDecode(Timing timing) {
        return timing.measure() instanceof Measure.Decode decode
                && decode.context() < Rounds.LONG_CONTEXT
                && readLimits.containsKey(timing.threads());
    }

    private static String cost(ModelFigures figures, Timing timing) {
        return figures.cost(timing).map(cost -> twoPlaces(cost.median())).orElse("");
    }

    /** Milliseconds of a pass, tokens a second of anything else. */
    private static Spread speed(Timing timing, double[] seconds) {
        if (timing.measure() instanceof Measure.Rows) {
            double[] milliseconds = seconds.clone();
            for (int i = 0; i < milliseconds.length; i++) {
                milliseconds[i] *= 1e3;
            }
            return Spread.of(milliseconds);
        }
        return Timing.rate(timing.measure(), seconds);
    }

    private static String unit(Measure measure) {
        return measure instanceof Measure.Rows ? "ms" : "tokens/s";
    }

    private static String threads(int count) {
        return count + (count == 1 ? " thread" : " threads");
    }

    private static String twoPlaces(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    /** The tables of several models as Markdown. */
    String markdown(List<ModelFigures> models) {
        StringBuilder text = new StringBuilder();
        for (ModelFigures figures : models) {
            text.append("### ").append(figures.file()).append("\n\n");
            text.append("Kernels ")
                    .append(figures.kernels())
                    .append("; ")
                    .append(limits(figures))
                    .append(".\n\n");
            text.append(table(figures).markdown()).append('\n');
        }
        return text.toString();
    }
}
