package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

class KernelBenchTest {
    @Test
    void measuresWhatIsAskedFor(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("kernels.json");
        Path markdown = folder.resolve("kernels.md");
        var bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        List<String> words = List.of(
                "--threads=1", "--rows=1,4", "--types=q4_0", "--parts=matrices,team", "--json", json.toString());
        List<String> all = new java.util.ArrayList<>(words);
        all.addAll(List.of("--markdown", markdown.toString()));
        assertEquals(0, new KernelBench(out).run(new Arguments(all)));
        JsonNode tree = new JsonMapper().readTree(json.toFile());
        assertEquals(2, tree.path("matrices").size());
        assertEquals("Q4_0", tree.at("/matrices/0/type").asString());
        assertTrue(tree.at("/matrices/0/bytesPerSecond").asDouble() > 0);
        assertTrue(tree.at("/limits/1/readBytesPerSecond").asDouble() > 0);
        assertTrue(tree.at("/nanosecondsPerStep/1").asDouble() > 0);
        assertTrue(Files.readString(markdown).contains("| Q4_0 | "));
        assertTrue(bytes.toString(StandardCharsets.UTF_8).contains("limits with 1 thread: "));
    }

    @Test
    void whatThereIsNotIsNamed() {
        var type = assertThrows(UzuException.InvalidArgument.class, () -> run("--types", "q9"));
        assertEquals("--types: there is no type q9", type.getMessage());
        var part = assertThrows(UzuException.InvalidArgument.class, () -> run("--parts", "wheels"));
        assertEquals("--parts: there is no part wheels", part.getMessage());
        var kernels = assertThrows(UzuException.InvalidArgument.class, () -> run("--kernels", "mmx"));
        assertTrue(kernels.getMessage().startsWith("--kernels mmx: not one of auto, scalar"));
    }

    private static int run(String... words) {
        return new KernelBench(System.out).run(new Arguments(List.of(words)));
    }
}
