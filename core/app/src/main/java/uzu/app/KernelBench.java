package uzu.app;

import java.io.PrintStream;
import uzu.backend.cpu.CpuOptions;
import uzu.backend.cpu.MatrixSpeed;

/**
 * {@code bench kernels [--kernels NAME]}: bytes of weights read and multiply-adds done a second by
 * one thread, for every tensor type and several numbers of rows.
 */
final class KernelBench {
    private static final int[] ROWS = {1, 4, 8, 16, 64};

    private final PrintStream out;

    KernelBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        CpuOptions.Kernels kernels = arguments.oneOf("kernels", CpuOptions.Kernels.AUTO);
        arguments.finish();
        out.println("GB/s of weights and billions of multiply-adds a second, 1 thread, by rows");
        String name = MatrixSpeed.measure(kernels, ROWS, figure -> {
            if (figure.rows() == ROWS[0]) {
                out.printf("%-5s", figure.type());
            }
            double gigabytes = figure.bytesPerSecond() / 1e9;
            out.printf(" | %2d: %5.2f %6.1f", figure.rows(), gigabytes, figure.productsPerSecond() / 1e9);
            if (figure.rows() == ROWS[ROWS.length - 1]) {
                out.println();
            }
        });
        out.println("kernels: " + name);
        return 0;
    }
}
