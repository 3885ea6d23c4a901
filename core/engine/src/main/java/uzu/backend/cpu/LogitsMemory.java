package uzu.backend.cpu;

import java.util.Optional;
import uzu.backend.ArrayLogits;
import uzu.backend.Logits;

/** Logits of no pass, to measure sampling with. */
public final class LogitsMemory implements AutoCloseable {
    private final Memory memory = new Memory();
    private final Logits logits;

    /** {@code width} logits, all 0, scanned by the kernels {@code wanted}. */
    public LogitsMemory(CpuOptions.Kernels wanted, int width) {
        Optional<NativeLogits> scanned = NativeLogits.choose(wanted, memory, width);
        scanned.ifPresent(there -> there.show(memory.allocate(4L * width, "logits to measure with")));
        logits = scanned.<Logits>map(there -> there).orElseGet(() -> new ArrayLogits(new float[width]));
    }

    public Logits logits() {
        return logits;
    }

    @Override
    public void close() {
        memory.close();
    }
}
