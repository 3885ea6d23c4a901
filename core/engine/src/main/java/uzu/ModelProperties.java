package uzu;

import org.jspecify.annotations.Nullable;

/**
 * @param size as in the identifier: {@code 135m}, {@code 1.5b}
 * @param version null when the family has only one
 */
public record ModelProperties(String size, @Nullable String version) {}
