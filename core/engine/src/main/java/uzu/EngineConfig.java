package uzu;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an engine runs. Immutable.
 *
 * @param localPath a folder of the user's own models ({@code LOCAL_PATH}), or null
 * @param cachePath where downloaded models lie ({@code UZU_CACHE}; {@code ~/.cache/uzu})
 * @param precision how matrices are multiplied
 * @param backend what runs the passes ({@code UZU_BACKEND})
 * @param threads worker threads of a pass; 0: the physical cores this process may use
 * @param offline whether nothing may be fetched
 */
public record EngineConfig(
        @Nullable Path localPath,
        Path cachePath,
        Precision precision,
        BackendChoice backend,
        int threads,
        boolean offline) {
    private static final int MOST_THREADS = 256;

    public EngineConfig {
        if (threads < 0 || threads > MOST_THREADS) {
            throw new UzuException.InvalidArgument(
                    "threads must be 0 (automatic) to " + MOST_THREADS + ", not " + threads,
                    Map.of("field", "threads"));
        }
    }

    /** The defaults, as the environment changes them. */
    public static EngineConfig create() {
        return create(System.getenv());
    }

    /** The defaults, as {@code environment} changes them. */
    public static EngineConfig create(Map<String, String> environment) {
        String local = environment.getOrDefault("LOCAL_PATH", "");
        String cache = environment.getOrDefault("UZU_CACHE", "");
        return new EngineConfig(
                local.isEmpty() ? null : Path.of(local),
                cache.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache", "uzu") : Path.of(cache),
                Precision.FAST,
                backend(environment.getOrDefault("UZU_BACKEND", "")),
                0,
                false);
    }

    public EngineConfig withLocalPath(@Nullable Path localPath) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    public EngineConfig withCachePath(Path cachePath) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    public EngineConfig withPrecision(Precision precision) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    public EngineConfig withBackend(BackendChoice backend) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    public EngineConfig withThreads(int threads) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    public EngineConfig withOffline(boolean offline) {
        return new EngineConfig(localPath, cachePath, precision, backend, threads, offline);
    }

    private static BackendChoice backend(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "", "auto" -> BackendChoice.AUTO;
            case "cpu" -> BackendChoice.CPU;
            default ->
                throw new UzuException.InvalidArgument(
                        "UZU_BACKEND is auto or cpu, not " + name, Map.of("variable", "UZU_BACKEND", "value", name));
        };
    }
}
