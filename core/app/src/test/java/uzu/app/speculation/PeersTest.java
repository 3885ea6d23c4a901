package uzu.app.speculation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

/** What the peer's programs are told and what is read from them, with programs that have fixed answers. */
class PeersTest {
    private static final Path MODEL = Path.of("some model.gguf");

    @TempDir
    Path folder;

    private String program(String text) throws IOException {
        Path script = folder.resolve("peer");
        Files.writeString(script, "#!/bin/sh\n" + text);
        assumeTrue(script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")));
        return script.toString();
    }

    @Test
    void plainDecodingReadsTheIdsAndDrawsAsManyTokens() throws IOException {
        String peer = program("""
                while IFS= read -r line; do
                    printf '%%s\\n' "$line" >>'%s/asked'
                    case $line in generate*) echo ns 2000000000 ;; *) echo ok ;; esac
                done
                """.formatted(folder));
        try (PeerDecoding decoding = new PeerDecoding(peer, MODEL, 2)) {
            ReplyFigures figures = decoding.answer(new int[] {5, 17}, 40, Sampling.WARM);
            assertEquals(20, figures.rate());
            decoding.answer(new int[2000], 100, Sampling.GREEDY);
        }
        List<String> asked = Files.readAllLines(folder.resolve("asked"));
        assertEquals(
                List.of("load some model.gguf\t2048 on", "threads 2", "ids 5 17", "generate 40 0.7 0.95 7"),
                asked.subList(0, 4));
        assertEquals("load some model.gguf\t4096 off", asked.get(4));
        assertEquals("generate 100 0.0 1.0 7", asked.getLast());
    }

    @Test
    void decodingWithADraftModelSaysWhatWasDraftedAndAccepted() throws IOException {
        String peer = program("""
                echo 'encoded   12 tokens in    0.110 seconds, speed:  109.1 t/s'
                echo 'decoded   30 tokens in    1.500 seconds, speed:   20.0 t/s'
                echo 'n_draft   = 3'
                echo 'n_drafted = 24'
                echo 'n_accept  = 18'
                """);
        PeerSpeculation speculation = new PeerSpeculation(peer, MODEL, Path.of("draft.gguf"), 2);
        ReplyFigures figures = speculation.answer("Hello", 12, 30, Sampling.GREEDY);
        assertEquals(
                List.of(30, 12, 24, 18),
                List.of(figures.tokens(), figures.passes(), figures.drafted(), figures.accepted()));
        assertEquals(20, figures.rate());
        var other =
                assertThrows(UzuException.Internal.class, () -> speculation.answer("Hello", 13, 30, Sampling.GREEDY));
        assertTrue(String.valueOf(other.getMessage()).endsWith("read the prompt as 12 tokens, not 13"));
    }
}
