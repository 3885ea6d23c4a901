package uzu.backend.cpu;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Executable;

/**
 * Where the time of an executable's passes goes, by kinds of phases: equal ones of different layers are one kind. A
 * phase lasts from its beginning to the next one's, so what workers wait for each other counts; a part costs two looks
 * at the clock more than without. For one thread, between passes.
 */
public final class PassProfile implements AutoCloseable {
    /**
     * One kind of phase.
     *
     * @param name its operations, matrices by their tensors' names without the layer
     * @param phases how many a pass has
     * @param seconds a pass spends in them
     * @param idle share of the workers' time in which they had nothing to do
     * @param bytes of weights that a pass reads in them
     */
    public record Share(String name, int phases, double seconds, double idle, long bytes) {}

    private final CpuExecutable executable;
    private final List<Phase> phases;
    private final int workers;
    private final long[] wall;
    private final long[][] busy;
    private final boolean[] ran;
    private int passes;

    private PassProfile(CpuExecutable executable, List<Phase> phases, int workers) {
        this.executable = executable;
        this.phases = phases;
        this.workers = workers;
        wall = new long[phases.size()];
        busy = new long[workers][phases.size()];
        ran = new boolean[phases.size()];
    }

    /** Profiles the passes of {@code executable}, those with a tracer excepted, until closed. */
    public static PassProfile start(Executable executable) {
        if (!(executable instanceof CpuExecutable ours)) {
            throw new UzuException.InvalidArgument("only the CPU backend's passes can be profiled");
        }
        return ours.startProfile();
    }

    static PassProfile of(CpuExecutable executable, Plan plan, int workers) {
        return new PassProfile(executable, plan.phases(), workers);
    }

    /** Forgets what was measured so far. */
    public void clear() {
        passes = 0;
        Arrays.fill(wall, 0);
        Arrays.fill(ran, false);
        for (long[] worker : busy) {
            Arrays.fill(worker, 0);
        }
    }

    /**
     * Means over the passes since {@link #start} or {@link #clear}, the kinds in the order of their first phase; those
     * that had no parts are left out.
     */
    public List<Share> shares() {
        Map<String, Share> kinds = new LinkedHashMap<>();
        for (int i = 0; i < phases.size(); i++) {
            if (!ran[i]) {
                continue;
            }
            double seconds = wall[i] / 1e9 / Math.max(1, passes);
            long worked = 0;
            for (long[] worker : busy) {
                worked += worker[i];
            }
            double idle = workers * seconds - worked / 1e9 / Math.max(1, passes);
            String name = name(phases.get(i));
            kinds.merge(name, new Share(name, 1, seconds, idle, bytes(phases.get(i))), PassProfile::sum);
        }
        return kinds.values().stream()
                .map(s -> new Share(s.name, s.phases, s.seconds, s.idle / (s.seconds * workers), s.bytes))
                .toList();
    }

    @Override
    public void close() {
        executable.endProfile();
    }

    /** The job with clocks around its parts. */
    Team.Job clocked(Team.Job job) {
        return new Clocked(job);
    }

    private final class Clocked implements Team.Job {
        private final Team.Job job;
        private int current = -1;
        private long since;

        private Clocked(Team.Job job) {
            this.job = job;
        }

        @Override
        public int steps() {
            return job.steps();
        }

        /** The team asks for a step's parts when the step begins. */
        @Override
        public int parts(int step) {
            long now = System.nanoTime();
            if (current >= 0) {
                wall[current] += now - since;
            }
            current = step;
            since = now;
            int parts = job.parts(step);
            ran[step] |= parts > 0;
            return parts;
        }

        @Override
        public boolean onCaller(int step) {
            return job.onCaller(step);
        }

        @Override
        public void run(int step, int part, int worker) {
            long start = System.nanoTime();
            job.run(step, part, worker);
            busy[worker][step] += System.nanoTime() - start;
        }
    }

    void ended(Team.Job clocked) {
        passes++;
        if (clocked instanceof Clocked ours && ours.current >= 0) {
            wall[ours.current] += System.nanoTime() - ours.since;
        }
    }

    private static Share sum(Share a, Share b) {
        return new Share(a.name, a.phases + b.phases, a.seconds + b.seconds, a.idle + b.idle, a.bytes + b.bytes);
    }

    private static long bytes(Phase phase) {
        return products(phase).stream().mapToLong(p -> p.matrix().bytes()).sum();
    }

    private static List<Phase.Product> products(Phase phase) {
        return switch (phase) {
            case Phase.Multiply multiply -> multiply.products();
            case ScreenedReadout.Whole whole -> whole.multiply().products();
            case GatedMultiply gated -> gated.products();
            default -> List.of();
        };
    }

    private static String name(Phase phase) {
        return switch (phase) {
            case Phase.Multiply multiply -> matrices(multiply) + after(multiply.after());
            case ScreenedReadout.Whole whole -> matrices(whole);
            case GatedMultiply gated -> matrices(gated) + ", gate, prepare";
            case Attention attention -> attention.next() == null ? "attention" : "attention, prepare";
            case Phase.Rows rows ->
                rows.steps().stream().map(PassProfile::operation).collect(Collectors.joining(", "));
            default -> operation(phase);
        };
    }

    private static String after(@Nullable HeadSteps steps) {
        return steps == null
                ? ""
                : steps.all().stream().map(step -> ", " + operation(step)).collect(Collectors.joining());
    }

    private static String matrices(Phase phase) {
        return products(phase).stream()
                .map(p -> tensor(p.matrix().name()) + " " + p.matrix().layout().type)
                .collect(Collectors.joining(", "));
    }

    private static String operation(Object record) {
        return record.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String tensor(String name) {
        return name.replaceFirst("^(.*\\.)?\\d+\\.", "").replaceFirst("\\.weight$", "");
    }
}
