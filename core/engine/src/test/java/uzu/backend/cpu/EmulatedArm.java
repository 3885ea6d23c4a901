package uzu.backend.cpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The C kernels of this source tree for 64-bit ARM, compiled by a cross compiler and run by an emulator (Debian:
 * gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user); none, and a line that says so, where these are missing. The
 * system property {@code uzu.test.arm.kernels} names a library made otherwise.
 */
final class EmulatedArm {
    private static final String COMPILER = "aarch64-linux-gnu-gcc";
    private static final Path BUILT = Path.of("target/emulated-arm").toAbsolutePath();

    private static final class Holder {
        static final Optional<EmulatedKernels> LIBRARY = start();
    }

    private EmulatedArm() {}

    static Optional<EmulatedKernels> library() {
        return Holder.LIBRARY;
    }

    private static Optional<EmulatedKernels> start() {
        if (NativeLibrary.platformPath().contains("aarch64")) {
            return Optional.empty(); // the twins themselves run here
        }
        Path build = CompiledKernels.SOURCES.resolve("build.sh");
        Path caller = BUILT.resolve("call_kernels");
        String given = System.getProperty("uzu.test.arm.kernels", "");
        String source = CompiledKernels.SOURCES
                .resolveSibling("../test/c/call_kernels.c")
                .toString();
        Optional<Path> libc = output(List.of("sh", build.toString(), BUILT.toString(), "linux-aarch64"))
                .flatMap(done -> output(List.of(COMPILER, "-O1", "-o", caller.toString(), source)))
                .flatMap(done -> output(List.of(COMPILER, "-print-file-name=libc.so.6")))
                .map(path -> Path.of(path.strip()).normalize());
        if (libc.isEmpty()) {
            return Optional.empty();
        }
        String library = given.isEmpty() ? BUILT.resolve("libuzu_kernels.so").toString() : given;
        String systemFiles = libc.get().getParent().getParent().toString();
        try {
            return Optional.of(new EmulatedKernels(
                    List.of("qemu-aarch64", "-cpu", "max", "-L", systemFiles, caller.toString(), library)));
        } catch (IOException e) {
            System.out.println("SKIPPED kernels in C for ARM: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<String> output(List<String> command) {
        return CompiledKernels.output(command, Map.of("CC", COMPILER));
    }
}
