package uzu.backend.cpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The C kernels of this source tree, compiled for the tests; none where there is no shell or C compiler. */
record CompiledKernels(String name, MatrixKernels kernels) {
    private static final Path SOURCES = Path.of("src/main/c").toAbsolutePath();

    private static final class Holder {
        static final List<CompiledKernels> TWINS = compile();
    }

    static List<CompiledKernels> twins() {
        return Holder.TWINS;
    }

    private static List<CompiledKernels> compile() {
        List<CompiledKernels> twins = new ArrayList<>();
        Path folder = Path.of("target/test-kernels").toAbsolutePath();
        if (run(List.of("sh", SOURCES.resolve("build.sh").toString(), folder.toString()))) {
            Optional<NativeLibrary> library = NativeLibrary.load(
                    folder.resolve(Path.of(NativeLibrary.platformPath()).getFileName()));
            library.filter(l -> l.runs(NativeLibrary.AVX2))
                    .ifPresent(l -> twins.add(new CompiledKernels("avx2", new NativeMatrixKernels(l, "avx2"))));
            library.filter(l -> l.runs(NativeLibrary.AVX512_VNNI))
                    .ifPresent(l ->
                            twins.add(new CompiledKernels("avx512vnni", new NativeMatrixKernels(l, "avx512vnni"))));
        }
        return List.copyOf(twins);
    }

    /** Runs a command; false, and a line on the console, when it can't be run or fails. */
    private static boolean run(List<String> command) {
        try {
            Files.createDirectories(Path.of("target"));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0) {
                return true;
            }
            System.out.println("SKIPPED kernels in C, " + String.join(" ", command) + ": " + output);
            return false;
        } catch (IOException e) {
            System.out.println("SKIPPED kernels in C: " + e.getMessage());
            return false;
        } catch (InterruptedException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
