package uzu.app;

import java.util.Locale;
import java.util.Optional;

/**
 * What the machine can do at most on some threads.
 *
 * @param readBytesPerSecond from memory
 * @param byteProductsPerSecond multiply-adds of bytes in registers; empty for kernels in Java
 * @param floatProductsPerSecond of floats
 */
record KernelLimits(
        double readBytesPerSecond, Optional<Double> byteProductsPerSecond, Optional<Double> floatProductsPerSecond) {
    /** The lesser of what memory and what the processor allow, in multiply-adds a second. */
    double products(boolean floats, double productsPerByte) {
        Optional<Double> registers = floats ? floatProductsPerSecond : byteProductsPerSecond;
        return Math.min(readBytesPerSecond * productsPerByte, registers.orElse(Double.POSITIVE_INFINITY));
    }

    String line() {
        return String.format(Locale.ROOT, "%.1f GB/s read", readBytesPerSecond / 1e9)
                + billions(byteProductsPerSecond, "bytes")
                + billions(floatProductsPerSecond, "floats");
    }

    private static String billions(Optional<Double> products, String of) {
        return products.map(
                        value -> String.format(Locale.ROOT, ", %.0f billion multiply-adds/s of %s", value / 1e9, of))
                .orElse("");
    }
}
