package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

/** The line protocol of tools/peer/llama_bench, spoken with programs that have fixed answers. */
class PeerModelTest {
    private static final int[] IDS = {5, 17, 2};
    private static final Path MODEL = Path.of("some model.gguf");

    @TempDir
    Path folder;

    /** A program that writes what it is asked to {@code asked}, with {@code answer} as the shell's answer to each. */
    private String peer(String answer) throws IOException {
        Path script = folder.resolve("peer");
        String text = """
                #!/bin/sh
                while IFS= read -r line; do
                    printf '%%s\\n' "$line" >>'%s/asked'
                    case $line in load*) echo "ok 1 2" ;; ids* | threads*) echo ok ;; *) %s ;; esac
                done
                """.formatted(folder, answer);
        Files.writeString(script, text);
        assumeTrue(script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")));
        return script.toString();
    }

    private List<String> asked() throws IOException {
        return Files.readAllLines(folder.resolve("asked"));
    }

    @Test
    void asksForEachMeasureAndReadsNanoseconds() throws IOException {
        try (PeerModel peer = new PeerModel(peer("echo ns 1234567"), MODEL, IDS, PeerModel.Flash.ON)) {
            peer.useThreads(2);
            assertEquals(1234567, peer.nanoseconds(new Measure.Prefill(512)));
            peer.nanoseconds(new Measure.Decode(128));
            peer.nanoseconds(new Measure.Rows(8, 4096));
        }
        assertEquals(
                List.of(
                        "load some model.gguf\t3 on",
                        "ids 5 17 2",
                        "threads 2",
                        "prefill 512",
                        "decode 16 at 128",
                        "rows 8 at 4096"),
                asked());
    }

    @Test
    void flashAttentionIsUsedAtShortContextsOnly() throws IOException {
        try (PeerModel peer = new PeerModel(peer("echo ns 1"), MODEL, IDS, PeerModel.Flash.AUTO)) {
            peer.nanoseconds(new Measure.Decode(128));
            peer.nanoseconds(new Measure.Decode(4096));
            peer.nanoseconds(new Measure.Rows(8, 4096));
        }
        assertEquals(
                List.of(
                        "load some model.gguf\t3 on",
                        "ids 5 17 2",
                        "decode 16 at 128",
                        "load some model.gguf\t3 off",
                        "ids 5 17 2",
                        "decode 16 at 4096",
                        "rows 8 at 4096"),
                asked());
    }

    @Test
    void aRefusalIsPassedOn() throws IOException {
        String program = peer("echo error no context of 9");
        try (PeerModel peer = new PeerModel(program, MODEL, IDS, PeerModel.Flash.ON)) {
            var failure = assertThrows(UzuException.Internal.class, () -> peer.nanoseconds(new Measure.Decode(128)));
            assertEquals(program + " says: no context of 9", failure.getMessage());
        }
    }

    @Test
    void anAnswerThatIsNoTimeIsNamed() throws IOException {
        String program = peer("echo soon");
        try (PeerModel peer = new PeerModel(program, MODEL, IDS, PeerModel.Flash.ON)) {
            var failure = assertThrows(UzuException.Internal.class, () -> peer.nanoseconds(new Measure.Decode(128)));
            assertEquals(program + " answered soon", failure.getMessage());
        }
    }

    @Test
    void aProgramThatEndsIsAnError() throws IOException {
        String program = peer("exit 3");
        try (PeerModel peer = new PeerModel(program, MODEL, IDS, PeerModel.Flash.ON)) {
            assertThrows(UzuException.Internal.class, () -> peer.nanoseconds(new Measure.Decode(128)));
        }
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        String program = folder.resolve("nowhere").toString();
        var failure = assertThrows(
                UzuException.InvalidArgument.class, () -> new PeerModel(program, MODEL, IDS, PeerModel.Flash.ON));
        assertEquals(program, failure.details().get("path"));
    }
}
