package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
    /** Holds a folder until it is ended. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) {
            new Runner(Path.of(arguments[0])).alone(() -> {
                System.out.println("holds");
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            });
        }
    }

    @TempDir
    private Path folder;

    private Process holder() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertEquals("holds", process.inputReader().readLine());
        return process;
    }

    @Test
    void nobodyRunsInANewFolder() {
        Runner runner = new Runner(folder);
        assertFalse(runner.isRunning());
        assertFalse(runner.stop());
    }

    @Test
    void aRunningProgramIsSeenAndStopped() throws Exception {
        Process process = holder();
        Runner runner = new Runner(folder);
        assertTrue(runner.isRunning());
        assertEquals(process.pid(), runner.process().orElseThrow().pid());
        assertTrue(runner.stop());
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertFalse(runner.isRunning());
    }

    @Test
    void aKilledProgramLeavesNothingLocked() throws Exception {
        Process process = holder();
        process.destroyForcibly();
        process.waitFor();
        assertFalse(new Runner(folder).isRunning());
    }
}
