package uzu.app.speculation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;
import uzu.app.Machine;

class SpeculationReportTest {
    private static final Machine MACHINE = new Machine("Some CPU", 2, 1L << 34, "Linux", "25", "abc", "2026-11-29");
    private static final Unit UNIT = new Unit("edit", new Question("rename", "?"), Sampling.GREEDY);

    /** 30 tokens: plainly in 3 s; with drafts in 10 passes and 1.5 s; by the peer in 6 s. */
    private static final ModelFigures MODEL = new ModelFigures("m.gguf", 2, List.of("tables: none"), List.of())
            .with(
                    UNIT,
                    List.of(new Measured(
                            "edit",
                            "rename",
                            1,
                            "greedy",
                            100,
                            Map.of(
                                    "plain",
                                    ReplyFigures.of(30, 3),
                                    "auto",
                                    new ReplyFigures(
                                            30, 1.5, 10, 40, 20, List.of(2, 2, 2, 2, 2), 0.15, 1.2, 0.03, true),
                                    "llama.cpp",
                                    ReplyFigures.of(30, 6)))));

    @TempDir
    Path folder;

    @Test
    void speedsStandBesideThoseOfPlainDecodingAndThePeer() {
        assertEquals("""
                |  |  | tokens/s | ÷ plain | 8 of 10 | ÷ llama.cpp | 8 of 10 | a pass | accepted | drafting | verifying | sampling | equal |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                | edit, greedy | plain | 10.0 |  |  | 2.00 | 2.00–2.00 | 1.00 |  |  |  |  |  |
                |  | auto | 20.0 | 2.00 | 2.00–2.00 | 4.00 | 4.00–4.00 | 3.00 | 50 % | 10 % | 80 % | 2.0 % | 1 of 1 |
                |  | llama.cpp | 5.0 | 0.50 | 0.50–0.50 |  |  | 1.00 |  |  |  |  |  |
                """, new SpeculationReport(MODEL).speeds().markdown());
    }

    @Test
    void depthsSayHowManyPassesAcceptedAsMuch() {
        assertEquals("""
                |  |  | ≥ 1 | ≥ 2 | ≥ 3 | ≥ 4 | ≥ 5 | ≥ 6 | ≥ 8 | ≥ 12 | ≥ 16 |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                | edit, greedy | auto | 80 % | 60 % | 40 % | 20 % | 0.0 % | 0.0 % | 0.0 % | 0.0 % | 0.0 % |
                """, new SpeculationReport(MODEL).depths().markdown());
    }

    @Test
    void aReplyOfOneTokenCountsForNothing() {
        ModelFigures single = MODEL.with(
                new Unit("edit", new Question("short", "?"), Sampling.GREEDY),
                List.of(new Measured(
                        "edit",
                        "short",
                        1,
                        "greedy",
                        100,
                        Map.of("plain", ReplyFigures.of(0, 0), "auto", ReplyFigures.of(0, 0)))));
        assertEquals(
                new SpeculationReport(MODEL).speeds().markdown(),
                new SpeculationReport(single).speeds().markdown());
    }

    @Test
    void aRunGoesOnWithItsFile() throws IOException {
        String file = folder.resolve("figures.json").toString();
        SpeculationFigures figures = SpeculationFigures.in(file, MACHINE, 256);
        assertEquals(List.of(), figures.models());
        figures.with(MODEL).write(file);
        ModelFigures found =
                SpeculationFigures.in(file, MACHINE, 256).of("m.gguf", 2).orElseThrow();
        assertEquals(MODEL, found);
        assertTrue(found.has(UNIT, List.of("plain", "auto")));
        assertFalse(found.has(UNIT, List.of("plain", "lookup")));
        assertThrows(UzuException.InvalidArgument.class, () -> SpeculationFigures.in(file, MACHINE, 128));
    }

    @Test
    void theChartHasALineForEachTask() {
        String svg = new AcceptanceChart(List.of(MODEL)).svg();
        assertTrue(svg.contains(">edit</text>") && svg.contains(">m.gguf</text>"), svg);
        assertEquals(2, svg.split("stroke=\"#1b5e9b\"", -1).length - 1);
    }
}
