package uzu;

/** Models of one name in several sizes: {@code smollm2}, {@code qwen2.5-coder}. */
public record ModelFamily(String identifier, String name, ModelVendor vendor) {}
