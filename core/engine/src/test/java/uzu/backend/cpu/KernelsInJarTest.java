package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar with kernels in it needs neither a compiler nor anything beside it. */
class KernelsInJarTest {
    private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();

    /** Run in another JVM: the kernels chosen, and where they lie. */
    static final class Report {
        private Report() {}

        public static void main(String[] arguments) {
            System.out.println(MatrixTwins.choose(CpuOptions.Kernels.AUTO).description());
            System.out.println(NativeRowKernels.choose(CpuOptions.Kernels.AUTO) instanceof NativeRowKernels);
            System.out.println(NativeLibrary.loaded().map(NativeLibrary::path).orElseThrow());
        }
    }

    @Test
    void kernelsOfTheJarRunOnAMachineWithoutCompiler(@TempDir Path folder) throws Exception {
        Optional<NativeLibrary> library = CompiledKernels.library();
        assumeTrue(library.isPresent(), "no C compiler");
        Path jar = folder.resolve("engine.jar");
        write(jar, library.get().path());
        Path cache = folder.resolve("cache");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                jar + File.pathSeparator + Path.of("target/test-classes").toAbsolutePath(),
                Report.class.getName());
        builder.environment().clear();
        builder.environment().put("UZU_CACHE", cache.toString());
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<String> lines = process.inputReader().lines().toList();
        assertEquals(0, process.waitFor());
        assertFalse(List.of("scalar", "vector").contains(lines.get(0)), () -> "runs " + lines.get(0));
        assertEquals("true", lines.get(1));
        assertTrue(Path.of(lines.get(2)).startsWith(cache), () -> "loaded " + lines.get(2));
    }

    private static void write(Path jar, Path library) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream to = new JarOutputStream(file);
                Stream<Path> classes = Files.walk(CLASSES)) {
            for (Path each :
                    classes.filter(path -> path.toString().endsWith(".class")).toList()) {
                add(to, CLASSES.relativize(each).toString().replace(File.separatorChar, '/'), each);
            }
            add(to, "native/" + NativeLibrary.platformPath(), library);
        }
    }

    private static void add(JarOutputStream jar, String name, Path content) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        jar.write(Files.readAllBytes(content));
        jar.closeEntry();
    }
}
