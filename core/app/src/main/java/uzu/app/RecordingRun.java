package uzu.app;

import java.util.LinkedHashMap;
import java.util.Map;
import uzu.app.ActivationRecord.Activations;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/** Runs tokens through a model and keeps what its program taps, in the layout of the reference records. */
final class RecordingRun {
    /** Sub-modules are recorded for so many positions, as the reference records do. */
    private static final int MODULE_POSITIONS = 6;

    private final Executable executable;
    private final int[] ids;
    private final Map<String, Activations> tensors = new LinkedHashMap<>();

    private RecordingRun(Executable executable, int[] ids) {
        this.executable = executable;
        this.ids = ids;
    }

    /** {@code prefill.*} in passes of up to {@code chunk} rows, {@code decode.*} token by token, {@code mod.*}. */
    static ActivationRecord of(Executable executable, int[] ids, int chunk) {
        RecordingRun run = new RecordingRun(executable, ids);
        run.run("prefill.", chunk);
        run.run("decode.", 1);
        return new ActivationRecord(run.tensors, ids);
    }

    private void run(String prefix, int chunk) {
        try (Sequence sequence = executable.newSequence()) {
            for (int from = 0; from < ids.length; from += chunk) {
                int start = from;
                int rows = Math.min(chunk, ids.length - from);
                Chain batch = new Chain(sequence, ids, from, rows, true);
                executable.run(
                        batch, () -> false, (name, n, width, values) -> keep(prefix, name, start, n, width, values));
                batch.commit();
            }
        }
    }

    private void keep(String prefix, String name, int from, int rows, int width, float[] values) {
        boolean module = name.startsWith("mod.");
        if (module && !prefix.equals("prefill.")) {
            return;
        }
        int all = module ? Math.min(MODULE_POSITIONS, ids.length) : ids.length;
        if (from >= all) {
            return;
        }
        Activations kept = tensors.computeIfAbsent(
                module ? name : prefix + name, n -> new Activations(all, width, new float[all * width]));
        System.arraycopy(values, 0, kept.values(), from * width, Math.min(rows, all - from) * width);
    }
}
