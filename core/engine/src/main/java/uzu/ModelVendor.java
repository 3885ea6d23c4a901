package uzu;

/** Who made a family of models. */
public record ModelVendor(String identifier, String name) {}
