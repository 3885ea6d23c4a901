package uzu;

/** Where a model is known from: the catalog that comes with the engine, the user's folder, a path. */
public record ModelRegistry(String identifier, String name) {}
