package uzu.registry;

import java.util.List;
import uzu.Model;
import uzu.SamplingMethod;

/**
 * A model that can be fetched.
 *
 * @param aliases repository ids and other names it goes by
 * @param fileName of the model in the cache
 * @param bytes size of the whole model
 * @param sha256 of the whole model, in lower-case hexadecimal digits
 * @param sampling what its makers recommend, with a penalty where the model would else repeat itself for ever
 * @param parts what the model is joined from, in order
 */
record CatalogEntry(
        Model model,
        List<String> aliases,
        String fileName,
        long bytes,
        String sha256,
        SamplingMethod sampling,
        List<Part> parts) {
    /**
     * A piece of a model, packed in a Python package.
     *
     * @param file its path inside the package's wheel
     */
    record Part(String packageName, String version, String file, long bytes, String sha256) {}

    CatalogEntry {
        aliases = List.copyOf(aliases);
        parts = List.copyOf(parts);
    }

    String identifier() {
        return model.identifier();
    }

    /** Whether it goes by this name, in whatever case. */
    boolean isNamed(String name) {
        if (identifier().equalsIgnoreCase(name)) {
            return true;
        }
        for (String alias : aliases) {
            if (alias.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
