package uzu.app.speculation;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import uzu.app.Arguments;
import uzu.app.Machine;
import uzu.app.Models;
import uzu.app.OutputFile;

/**
 * {@code bench speculation MODEL…}: real questions answered plainly, with each drafter, with all of them, and by a peer.
 * With {@code --json} it goes on where the last run with that file stopped.
 */
public final class SpeculationBench {
    /** The exit status when time was up before everything was measured. */
    static final int UNFINISHED = 3;

    private final PrintStream out;
    private final long begun = System.nanoTime();
    private double longest;
    /** Conversations of the last model that weren't measured. */
    private int left;

    public SpeculationBench(PrintStream out) {
        this.out = out;
    }

    public int run(Arguments arguments) {
        if (arguments.has("equality")) {
            return new EqualityBench(arguments, out).run();
        }
        Plan plan = Plan.of(arguments);
        Machine machine = Machine.here();
        SpeculationFigures figures = plan.measure()
                ? SpeculationFigures.in(plan.json(), machine, plan.tokens())
                : SpeculationFigures.read(plan.json());
        out.println(figures.machine().line());
        List<String> models = plan.measure() ? plan.models() : List.of();
        for (int i = 0; i < models.size() && left == 0; i++) {
            figures = figures.with(measure(plan, models.get(i), figures));
        }
        report(plan, figures);
        if (left > 0) {
            out.println("time is up before all was measured: the same command goes on, when it has --json");
        }
        return left == 0 ? 0 : UNFINISHED;
    }

    /** What was known of the model, and what this run adds. */
    private ModelFigures measure(Plan plan, String model, SpeculationFigures figures) {
        Path file = Models.path(model);
        String name = String.valueOf(file.getFileName());
        ModelFigures known =
                figures.of(name, plan.threads()).orElse(new ModelFigures(name, plan.threads(), List.of(), List.of()));
        left = 0;
        try (Contest contest = new Contest(plan, model, file)) {
            ModelFigures before = known.withNotes(contest.notes());
            known = before;
            List<Unit> missing = plan.units().stream()
                    .filter(unit -> !before.has(unit, contest.names()))
                    .toList();
            left = missing.size();
            for (Unit unit : missing) {
                if (isTimeUp(plan)) {
                    break;
                }
                if (left == missing.size()) {
                    contest.warm();
                }
                long start = System.nanoTime();
                known = known.with(unit, contest.measure(unit));
                longest = Math.max(longest, (System.nanoTime() - start) / 1e9);
                left--;
                if (!plan.json().isEmpty()) {
                    figures.with(known).write(plan.json());
                }
            }
        }
        return known;
    }

    private boolean isTimeUp(Plan plan) {
        double elapsed = (System.nanoTime() - begun) / 1e9;
        return plan.seconds() > 0 && elapsed + longest > plan.seconds();
    }

    private void report(Plan plan, SpeculationFigures figures) {
        StringBuilder markdown = new StringBuilder(figures.machine().line() + "\n\n");
        for (ModelFigures model : figures.models()) {
            SpeculationReport report = new SpeculationReport(model);
            out.printf("%n%s, %d threads; %s%n", model.file(), model.threads(), report.equality());
            model.notes().forEach(note -> out.println("not measured: " + note));
            out.print(report.speeds().text());
            out.println("passes that accept at least so many drafted tokens:");
            out.print(report.depths().text());
            markdown.append(report.markdown());
        }
        if (!plan.markdown().isEmpty()) {
            OutputFile.write(plan.markdown(), markdown.toString());
        }
        if (!plan.chart().isEmpty()) {
            OutputFile.write(plan.chart(), new AcceptanceChart(figures.models()).svg());
        }
    }
}
