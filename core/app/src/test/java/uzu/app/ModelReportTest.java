package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ModelReportTest {
    private static final Measure DECODE = new Measure.Decode(128);
    private static final Measure ONE_ROW = new Measure.Rows(1, 128);
    private static final Measure ROWS = new Measure.Rows(8, 128);
    private static final Measure PREFILL = new Measure.Prefill(512);
    private static final double[] NOBODY = {};

    // 100 MB a row at 20 GB/s: 200 tokens/s.
    private static final ModelReport REPORT = new ModelReport(Map.of(2, 20e9));

    private static ModelFigures figures(String kernels, Timing... timings) {
        return new ModelFigures("SmolLM2-135M-Instruct.Q4_1.gguf", 100_000_000, kernels, "F16", List.of(timings), null);
    }

    @Test
    void oursAloneShowsSpeedsCostsAndTheShareOfMemory() {
        ModelFigures figures = figures(
                "avx2",
                new Timing(DECODE, 2, new double[] {0.16, 0.10, 0.20}, NOBODY),
                new Timing(ONE_ROW, 2, new double[] {0.010, 0.010, 0.008}, NOBODY),
                new Timing(ROWS, 2, new double[] {0.020, 0.025, 0.020}, NOBODY),
                new Timing(PREFILL, 2, new double[] {0.5, 0.5, 0.5}, NOBODY));
        assertEquals("""
                                       threads     uzu        min–max            1-row passes  of memory
                decode at 128                2   100.0     80.0–160.0  tokens/s                     50 %
                pass of 1 row at 128         2    10.0      8.00–10.0        ms          1.00
                pass of 8 rows at 128        2    20.0      20.0–25.0        ms          2.50
                prefill of 512               2  1024.0  1024.0–1024.0  tokens/s
                """, REPORT.table(figures).text());
        assertEquals(
                "a row reads 100.0 MB of weights: 20.0 GB/s on 2 threads: at most 200.0 tokens/s",
                REPORT.limits(figures));
    }

    @Test
    void besideAPeerRatiosAreTakenRoundByRound() {
        ModelFigures figures = figures(
                "avx512vnni",
                new Timing(PREFILL, 2, new double[] {1, 1, 2}, new double[] {6, 7, 10}),
                new Timing(ONE_ROW, 2, new double[] {0.01, 0.01, 0.01}, new double[] {0.02, 0.02, 0.02}),
                new Timing(ROWS, 2, new double[] {0.03, 0.03, 0.03}, new double[] {0.2, 0.2, 0.2}));
        assertEquals("""
                |  | threads | uzu | llama.cpp |  | ratio | min–max | 1-row passes | of memory | target |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                | prefill of 512 | 2 | 512.0 | 73.1 | tokens/s | 6.00 | 5.00–7.00 |  |  | ≥ 6.00 ok |
                | pass of 1 row at 128 | 2 | 10.0 | 20.0 | ms | 2.00 | 2.00–2.00 | 1.00 |  |  |
                | pass of 8 rows at 128 | 2 | 30.0 | 200.0 | ms | 6.67 | 6.67–6.67 | 3.00 |  | ≥ 6.00 ok, cost ≤ 2.4 missed |
                """, REPORT.table(figures).markdown());
    }

    @Test
    void aDecodeNeedsNoMoreThanMemoryAllows() {
        // 160 tokens/s of the peer times 2.2 are above 0.92 · 200.
        Timing fast = new Timing(DECODE, 2, new double[] {0.09}, new double[] {0.1});
        ModelFigures figures = figures("avx512vnni", fast);
        assertEquals(1.15, REPORT.targetRatio(figures, fast).orElseThrow(), 1e-9);
        Timing slow = new Timing(DECODE, 2, new double[] {0.09}, new double[] {0.4});
        assertEquals(2.2, REPORT.targetRatio(figures, slow).orElseThrow(), 1e-9);
    }

    @Test
    void otherInstructionSetsOnlyReport() {
        ModelFigures figures = figures("avx2", new Timing(PREFILL, 2, new double[] {1}, new double[] {9}));
        String row =
                REPORT.table(figures).markdown().lines().skip(2).findFirst().orElseThrow();
        assertEquals("| prefill of 512 | 2 | 512.0 | 56.9 | tokens/s | 9.00 | 9.00–9.00 |  |  | ≥ 6.00 report |", row);
    }

    @Test
    void jsonHasEveryRound() {
        ModelFigures figures = figures("avx2", new Timing(PREFILL, 2, new double[] {1, 2}, new double[] {6, 8}));
        Machine machine = new Machine("some processor", 2, 1 << 30, "Linux", "25", "abc", "2026-01-01T00:00:00Z");
        JsonNode tree = new ModelJson(machine, Map.of(2, 20e9), List.of(figures)).tree();
        JsonNode timing = tree.at("/models/0/timings/0");
        assertEquals("prefill", timing.path("what").asString());
        assertEquals(512, timing.path("tokens").asInt());
        assertEquals("[1.0,2.0]", timing.path("seconds").toString());
        assertEquals("[6.0,8.0]", timing.path("peer_seconds").toString());
        assertEquals(
                "{\"min\":4.0,\"median\":5.0,\"max\":6.0}", timing.path("ratio").toString());
        assertEquals("some processor", tree.at("/machine/processor").asString());
        assertEquals(20e9, tree.at("/read_bytes_per_second/2").asDouble());
    }
}
