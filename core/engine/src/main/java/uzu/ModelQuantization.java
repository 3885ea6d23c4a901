package uzu;

/**
 * How the weights were rounded.
 *
 * @param method as in the identifier: {@code q4_1}, {@code q4_k_m}
 */
public record ModelQuantization(String method, double bitsPerWeight) {}
