package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassCostFileTest {
    private final PassCosts costs = new PassCosts(new int[] {1, 4}, new double[] {0.010, 0.013});

    @TempDir
    Path folder;

    @Test
    void whatIsSavedIsLoaded() {
        new PassCostFile(folder.resolve("new"), "model\nmachine").save(costs);
        PassCosts loaded = new PassCostFile(folder.resolve("new"), "model\nmachine").load();
        assertNotNull(loaded);
        assertArrayEquals(costs.state(), loaded.state());
    }

    @Test
    void anotherModelOrMachineHasItsOwn() {
        new PassCostFile(folder, "a").save(costs);
        assertNull(new PassCostFile(folder, "b").load());
        new PassCostFile(folder, "b").save(costs);
        assertNotNull(new PassCostFile(folder, "a").load());
    }

    @Test
    void theLastOneSavedCountsAndNothingElseIsLeft() throws IOException {
        PassCostFile file = new PassCostFile(folder, "a");
        file.save(costs);
        file.save(new PassCosts(new int[] {1}, new double[] {0.5}));
        PassCosts loaded = file.load();
        assertNotNull(loaded);
        assertEquals(0.5, loaded.seconds(1));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void aBrokenFileIsNone() throws IOException {
        PassCostFile file = new PassCostFile(folder, "a");
        file.save(costs);
        Path path;
        try (Stream<Path> files = Files.list(folder)) {
            path = files.findFirst().orElseThrow();
        }
        List<String> lines = Files.readAllLines(path);
        Files.write(path, lines.subList(0, 5));
        assertNull(file.load());
        Files.write(path, List.of(lines.get(0), lines.get(1), "much"));
        assertNull(file.load());
        Files.write(path, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
        assertNull(file.load());
        Files.writeString(path, "");
        assertNull(file.load());
        file.save(costs);
        assertNotNull(file.load());
    }

    @Test
    void aFolderThatCannotBeIsNoError() throws IOException {
        Path occupied = Files.writeString(folder.resolve("file"), "x");
        PassCostFile file = new PassCostFile(occupied.resolve("below"), "a");
        file.save(costs);
        assertNull(file.load());
    }
}
