package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.backend.Executable;
import uzu.backend.Sequence;

class PassProfileTest {
    private static List<PassProfile.Share> shares(boolean logits) {
        TinyModel model = new TinyModel(5);
        try (CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(2));
                Executable executable = backend.prepare(model.program(backend));
                Sequence sequence = executable.newSequence();
                PassProfile profile = PassProfile.start(executable)) {
            Rows rows = new Rows();
            rows.add(sequence, 3, -1, logits);
            executable.run(rows, () -> false, null);
            return profile.shares();
        }
    }

    @Test
    void aPassIsToldByKindsOfPhasesWithWhatTheyRead() {
        List<PassProfile.Share> shares = shares(true);
        PassProfile.Share gate = shares.stream()
                .filter(share -> share.name().equals("gate F32, up F32, gate, prepare"))
                .findFirst()
                .orElseThrow();
        assertEquals(TinyModel.LAYERS, gate.phases());
        assertEquals(4L * TinyModel.LAYERS * 2 * TinyModel.FEED_FORWARD * TinyModel.WIDTH, gate.bytes());
        assertTrue(gate.seconds() > 0 && gate.idle() < 1, gate.toString());
        assertEquals("softcap", shares.getLast().name());
    }

    @Test
    void whatDidNotRunIsLeftOut() {
        assertTrue(shares(false).stream().noneMatch(share -> share.name().equals("softcap")));
    }
}
