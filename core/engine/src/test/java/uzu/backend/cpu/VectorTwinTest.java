package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

/** A JVM of its own without kernels in C, with and without the module of the Vector API. */
class VectorTwinTest {
    /** Prints the kernels chosen for each argument, or the error. */
    static final class Chosen {
        public static void main(String[] wanted) {
            for (String each : wanted) {
                CpuOptions.Kernels kernels = CpuOptions.Kernels.valueOf(each);
                try {
                    System.out.println(MatrixTwins.choose(kernels).description() + " "
                            + NativeRowKernels.choose(kernels).getClass().getSimpleName());
                } catch (UzuException.InvalidArgument e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void theScalarTwinRunsWithoutTheModule() throws IOException, InterruptedException {
        assertEquals(
                List.of(
                        "scalar ScalarRowKernels",
                        "kernels VECTOR can't be used:"
                                + " the Java option --add-modules=jdk.incubator.vector was not given"),
                chosen(List.of(), "AUTO", "VECTOR"));
    }

    @Test
    void theVectorTwinRunsWhereTheModuleIs() throws IOException, InterruptedException {
        assertEquals(
                List.of("vector VectorRowKernels", "vector VectorRowKernels", "scalar ScalarRowKernels"),
                chosen(List.of(VectorTwin.OPTION), "AUTO", "VECTOR", "SCALAR"));
    }

    private static List<String> chosen(List<String> options, String... wanted)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Duzu.kernels=" + Path.of("none.so")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Chosen.class.getName()));
        command.addAll(List.of(wanted));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines =
                new String(process.getInputStream().readAllBytes()).lines().toList();
        assertEquals(0, process.waitFor(), String.join(System.lineSeparator(), lines));
        return lines;
    }
}
