package uzu.backend.cpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * The kernels in C, {@code libuzu_kernels}: where they are and what of them this processor can run. Looked for at the
 * path in the system property {@code uzu.kernels}, then in the environment variable {@code UZU_KERNELS}, then in
 * {@code native/<system>-<machine>/} beside the engine's jar or folder of classes, then as a resource there, which is
 * unpacked into the cache under a name made of its content. A library that can't be used is reported in the log, never
 * a failure.
 */
final class NativeLibrary {
    /** As {@code UZU_K_ABI} in kernels.h. */
    static final int ABI = 9;

    private static final class Loaded {
        static final Optional<NativeLibrary> LIBRARY = find();
    }

    private final Path path;
    private final CLinker.Symbols symbols;
    private final NativeCalls calls;
    private final int features;

    private NativeLibrary(Path path, CLinker.Symbols symbols, NativeCalls calls, int features) {
        this.path = path;
        this.symbols = symbols;
        this.calls = calls;
        this.features = features;
    }

    /** The library of this process, loaded once; empty where there is none or it is of another version. */
    static Optional<NativeLibrary> loaded() {
        return Loaded.LIBRARY;
    }

    /** Made when there is something to say: loggers take their time to start. */
    static System.Logger log() {
        return System.getLogger("uzu.kernels");
    }

    Path path() {
        return path;
    }

    /** Whether the processor and the system run the instruction sets of these bits, which are those of kernels.h. */
    boolean runs(int bits) {
        return (features & bits) == bits;
    }

    NativeCalls calls() {
        return calls;
    }

    boolean has(String function) {
        return symbols.find(function) != 0;
    }

    /**
     * The address of a function of the library, for {@link NativeCalls}.
     *
     * @throws IllegalStateException when the library lacks it
     */
    long function(String name) {
        return needed(symbols, name);
    }

    private static long needed(CLinker.Symbols symbols, String name) {
        long address = symbols.find(name);
        if (address == 0) {
            throw new IllegalStateException("it lacks " + name);
        }
        return address;
    }

    private static Optional<NativeLibrary> find() {
        String property = System.getProperty("uzu.kernels", "");
        String given = property.isEmpty()
                ? Optional.ofNullable(System.getenv("UZU_KERNELS")).orElse("")
                : property;
        if (!given.isEmpty()) {
            return load(Path.of(given));
        }
        return beside().or(NativeLibrary::unpacked).flatMap(NativeLibrary::load);
    }

    /** Loads and checks one library; says in the log why it is not used. */
    static Optional<NativeLibrary> load(Path path) {
        try {
            CLinker linker = CLinker.here();
            CLinker.Symbols symbols = linker.open(path);
            int abi = Memory.ALL.get(ValueLayout.JAVA_INT, needed(symbols, "uzu_k_abi"));
            if (abi != ABI) {
                throw new IllegalStateException("version " + abi + " where " + ABI + " is needed");
            }
            NativeCalls calls = new NativeCalls(linker, needed(symbols, "uzu_k_call"));
            return Optional.of(new NativeLibrary(path, symbols, calls, calls.features()));
        } catch (RuntimeException e) {
            log().log(System.Logger.Level.WARNING, "kernels in C not used: " + path + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** {@code linux-x86_64/libuzu_kernels.so}, for the system and machine this runs on. */
    static String platformPath() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String system = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String arch = System.getProperty("os.arch", "");
        String machine = arch.equals("amd64") ? "x86_64" : arch;
        return system + "-" + machine + "/"
                + System.mapLibraryName("uzu_kernels").replaceFirst("^(?!lib)", "lib");
    }

    private static Optional<Path> beside() {
        CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            Path jar = Path.of(source.getLocation().toURI());
            return Optional.of(jar.resolveSibling("native").resolve(platformPath()))
                    .filter(Files::isRegularFile);
        } catch (URISyntaxException | RuntimeException e) {
            return Optional.empty(); // not a file: the classes come from elsewhere
        }
    }

    private static Optional<Path> unpacked() {
        String name = platformPath();
        try (InputStream in = NativeLibrary.class.getResourceAsStream("/native/" + name)) {
            return in == null ? Optional.empty() : Optional.of(unpack(in.readAllBytes(), name, cache()));
        } catch (IOException | UncheckedIOException e) {
            log().log(System.Logger.Level.WARNING, "kernels in C not used: can't unpack them: " + e);
            return Optional.empty();
        }
    }

    private static Path cache() {
        String cache = Optional.ofNullable(System.getenv("UZU_CACHE")).orElse("");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache", "uzu") : Path.of(cache);
        return base.resolve("native");
    }

    /** Writes the library into {@code folder}, whole or not at all, unless it is there. */
    static Path unpack(byte[] library, String name, Path folder) throws IOException {
        Path file = folder.resolve(hash(library)).resolve(Path.of(name).getFileName());
        if (Files.isRegularFile(file) && Files.size(file) == library.length) {
            return file;
        }
        Files.createDirectories(file.getParent());
        Path partial = Files.createTempFile(file.getParent(), "kernels", ".part");
        try {
            Files.write(partial, library);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(partial);
        }
        return file;
    }

    private static String hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
