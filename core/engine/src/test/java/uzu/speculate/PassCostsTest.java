package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PassCostsTest {
    private static PassCosts measured() {
        return new PassCosts(new int[] {1, 2, 4, 8, 16}, new double[] {0.010, 0.011, 0.013, 0.024, 0.046});
    }

    @Test
    void whatWasMeasuredIsKeptAndTheRestLiesBetween() {
        PassCosts costs = measured();
        assertEquals(0.010, costs.seconds(1), 1e-12);
        assertEquals(0.012, costs.seconds(3), 1e-12);
        assertEquals(0.0185, costs.seconds(6), 1e-12);
        assertEquals(0.02125, costs.seconds(7), 1e-12);
        assertEquals(0.046, costs.seconds(16), 1e-12);
        // Beyond the last one by the usual shape: 9 / 4.6 times as much with 32 rows.
        assertEquals(0.090, costs.seconds(32), 1e-12);
        assertEquals(0.360, costs.seconds(128), 1e-12);
    }

    @Test
    void moreRowsNeverCostLess() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        PassCosts costs = new PassCosts(new int[] {1, 2, 4}, new double[] {0.012, 0.010, 0.009});
        for (int i = 0; i < 500; i++) {
            costs.passed(random.nextInt(1, 65), random.nextInt(5000), random.nextDouble(0.001, 0.2));
            for (int n = 2; n <= 128; n++) {
                assertTrue(costs.seconds(n) >= costs.seconds(n - 1), n + " rows, seed " + seed);
            }
        }
    }

    @Test
    void theFirstPassesSayHowFastTheMachineIs() {
        PassCosts costs = new PassCosts();
        costs.passed(1, 0, 0.5); // reads the weights from the disk
        for (int i = 0; i < 7; i++) {
            costs.passed(1, 0, 0.004);
        }
        assertEquals(0.004, costs.seconds(1), 1e-12);
        assertEquals(0.0054, costs.seconds(4), 1e-12);
    }

    @Test
    void passesTeachTheirOwnRowsMostAndTheSpeedToAll() {
        PassCosts costs = measured();
        for (int i = 0; i < 400; i++) {
            costs.passed(i % 2 == 0 ? 1 : 4, 0, i % 2 == 0 ? 0.020 : 0.060);
        }
        assertEquals(0.020, costs.seconds(1), 0.001);
        assertEquals(0.060, costs.seconds(4), 0.003);
        assertTrue(costs.seconds(16) > 0.08, "the machine has become slower");
    }

    @Test
    void aPassThatWasHeldUpSaysLittle() {
        PassCosts costs = measured();
        costs.passed(4, 0, 10);
        assertEquals(0.013, costs.seconds(4), 0.0006);
    }

    @Test
    void whatOtherProgramsAddToAThirdOfThePassesChangesLittle() {
        PassCosts costs = measured();
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 1000; i++) {
            int rows = random.nextInt(1, 5);
            double fair = measured().seconds(rows);
            costs.passed(rows, 0, random.nextInt(3) == 0 ? fair * random.nextDouble(1.2, 5) : fair);
        }
        assertEquals(1.3, costs.seconds(4) / costs.seconds(1), 0.1);
        assertEquals(0.010, costs.seconds(1), 0.0015);
    }

    @Test
    void ofAllMeasurementsTheLeastCounts() {
        // Something else ran while four rows were measured, then while one was, on a machine half as fast.
        PassCosts costs = new PassCosts(new int[] {1, 2, 4, 8}, new double[] {0.010, 0.011, 0.021, 0.024});
        costs.measured(new int[] {1, 2, 4, 8}, new double[] {0.030, 0.022, 0.026, 0.048}, 1);
        assertEquals(0.030, costs.seconds(1), 1e-12);
        assertEquals(2.1, costs.seconds(4) / costs.seconds(1), 1e-12);
        costs.measured(new int[] {1, 2, 4, 8}, new double[] {0.010, 0.012, 0.013, 0.025}, 3);
        assertEquals(0.010, costs.seconds(1), 1e-12);
        assertEquals(0.011, costs.seconds(2), 1e-12);
        assertEquals(0.013, costs.seconds(4), 1e-12);
        assertEquals(0.024, costs.seconds(8), 1e-12);
        assertEquals(5, costs.rounds());
    }

    @Test
    void onlyWhatWasMeasuredIsKept() {
        PassCosts costs = measured();
        double[] state = costs.state();
        for (int i = 0; i < 100; i++) {
            costs.passed(4, 0, 0.030);
        }
        assertTrue(costs.seconds(4) / costs.seconds(1) > 1.5, "a busy machine");
        assertArrayEquals(state, costs.state(), 1e-12);
    }

    @Test
    void aContextCostsEachRow() {
        PassCosts costs = measured();
        costs.measuredReads(4, 1000 * 5, 0.023);
        assertEquals(0.010 + 2 * 0.002, costs.seconds(1, 2 * 1000), 1e-12);
        assertEquals(0.024 + 9 * 0.004, costs.seconds(8, 9 * 2000), 1e-12);
    }

    @Test
    void longContextsTeachWhatTheyCost() {
        PassCosts costs = measured();
        for (int i = 0; i < 3000; i++) {
            int rows = 1 + i % 4;
            double reads = (1 + i % 7) * 500 * (1 + rows);
            costs.passed(rows, reads, measured().seconds(rows) + reads * 2e-6);
        }
        assertEquals(0.010 + 8000 * 2e-6, costs.seconds(1, 8000), 0.003);
        assertEquals(0.010, costs.seconds(1, 0), 0.002);
    }

    @Test
    void aStateMakesTheSameCosts() {
        PassCosts costs = measured();
        costs.passed(3, 700, 0.014);
        PassCosts again = PassCosts.of(costs.state());
        assertNotNull(again);
        assertArrayEquals(costs.state(), again.state());
    }

    @Test
    void nonsenseIsNoState() {
        double[] state = measured().state();
        assertNull(PassCosts.of(new double[0]));
        assertNull(PassCosts.of(new double[state.length]));
        for (double wrong : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY, 0}) {
            double[] broken = state.clone();
            broken[3] = wrong;
            assertNull(PassCosts.of(broken));
        }
        double[] falling = state.clone();
        falling[5] = state[4] / 2;
        assertNull(PassCosts.of(falling));
    }
}
