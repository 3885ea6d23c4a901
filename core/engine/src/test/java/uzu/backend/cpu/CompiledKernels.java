package uzu.backend.cpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The twins of the scalar kernels: that on the Vector API, and the C kernels of this source tree, compiled for the
 * tests, or those that the system property {@code uzu.kernels} names; none where there is no shell or C compiler. Those
 * for AVX-VNNI and AVX-512 are also compiled with an emulation, the latter's SIMDe (Debian: libsimde-dev), so that any
 * x86-64 machine tests them; those for ARM run in an emulator.
 */
record CompiledKernels(String name, MatrixKernels kernels) {
    static final Path SOURCES = Path.of("src/main/c").toAbsolutePath();

    private static final class Holder {
        static final Optional<NativeLibrary> LIBRARY = build();
        static final List<CompiledKernels> TWINS = twins(LIBRARY);
    }

    static List<CompiledKernels> twins() {
        return Holder.TWINS;
    }

    static Optional<NativeLibrary> library() {
        return Holder.LIBRARY;
    }

    private static Optional<NativeLibrary> build() {
        String given = System.getProperty("uzu.kernels", "");
        if (!given.isEmpty()) {
            return NativeLibrary.load(Path.of(given));
        }
        if (!run(List.of("sh", SOURCES.resolve("build.sh").toString()))) {
            return Optional.empty();
        }
        return NativeLibrary.load(
                Path.of("target/native", NativeLibrary.platformPath()).toAbsolutePath());
    }

    private static List<CompiledKernels> twins(Optional<NativeLibrary> built) {
        List<CompiledKernels> twins = new ArrayList<>();
        built.ifPresent(library -> {
            for (NativeTwin twin : NativeTwin.values()) {
                if (twin.isIn(library)) {
                    twins.add(new CompiledKernels(twin.suffix, new NativeMatrixKernels(library, twin.suffix)));
                }
            }
            if (NativeTwin.AVX2.isIn(library)) {
                emulated("avxvnni", "emulated_avxvnni.h").ifPresent(twins::add);
                emulated("avx512vnni", "emulated_avx512.h").ifPresent(twins::add);
            }
        });
        EmulatedArm.library().ifPresent(library -> {
            for (String suffix : List.of("neon", "dotprod", "i8mm")) {
                twins.add(new CompiledKernels("emulated " + suffix, new EmulatedMatrixKernels(library, suffix)));
            }
        });
        return List.copyOf(twins);
    }

    /** A twin compiled for AVX2, with a header that stands in for what it needs besides. */
    private static Optional<CompiledKernels> emulated(String suffix, String header) {
        String given = Optional.ofNullable(System.getenv("CC")).orElse("");
        Path file = Path.of("target/emulated-" + suffix + ".so").toAbsolutePath();
        List<String> command =
                new ArrayList<>(List.of(given.isBlank() ? "cc" : given, "-shared", "-o", file.toString()));
        command.addAll(List.of(
                "-std=c17", "-O1", "-fPIC", "-D_DEFAULT_SOURCE", "-ffp-contract=off", "-fno-strict-aliasing", "-w"));
        command.addAll(List.of("-mavx2", "-mfma", "-mf16c"));
        command.addAll(List.of(
                "-include", SOURCES.resolveSibling("../test/c/" + header).toString()));
        command.addAll(List.of(
                SOURCES.resolve(suffix + ".c").toString(),
                SOURCES.resolve("cpu.c").toString(),
                SOURCES.resolve("calls.c").toString()));
        if (!run(command)) {
            return Optional.empty();
        }
        return NativeLibrary.load(file)
                .map(library -> new CompiledKernels("emulated " + suffix, new NativeMatrixKernels(library, suffix)));
    }

    /** Runs a command; false, and a line on the console, when it can't be run or fails. */
    private static boolean run(List<String> command) {
        return output(command, Map.of()).isPresent();
    }

    /** What a command prints; none, and a line on the console, when it can't be run or fails. */
    static Optional<String> output(List<String> command, Map<String, String> environment) {
        try {
            Files.createDirectories(Path.of("target"));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0) {
                return Optional.of(output);
            }
            System.out.println("SKIPPED kernels in C, " + String.join(" ", command) + ": "
                    + output.lines().findFirst().orElse(""));
            return Optional.empty();
        } catch (IOException e) {
            System.out.println("SKIPPED kernels in C: " + e.getMessage());
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
