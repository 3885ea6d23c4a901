package uzu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model that the engine knows. Identifiers read {@code vendor:family:size[:quantVendor:quantMethod:bits]}, e.g.
 * {@code huggingface:smollm2:135m:gguf:q4_1:4}; a model given by path has its absolute path as identifier.
 *
 * @param name what to show to people
 * @param backends what can run it: {@code cpu}
 * @param family null when nothing says what it is
 * @param quantization null for plain floating-point weights, or when only loading would tell
 * @param isDownloadable whether a catalog knows where to fetch it
 */
public record Model(
        String identifier,
        String name,
        ModelRegistry registry,
        List<String> backends,
        @Nullable ModelFamily family,
        @Nullable ModelProperties properties,
        @Nullable ModelQuantization quantization,
        List<ModelSpecialization> specializations,
        ModelAccessibility accessibility,
        boolean isDownloadable) {
    public Model {
        backends = List.copyOf(backends);
        specializations = List.copyOf(specializations);
    }

    public boolean isLocal() {
        return accessibility == ModelAccessibility.LOCAL;
    }

    public boolean isRemote() {
        return accessibility == ModelAccessibility.REMOTE;
    }

    public boolean isChatCapable() {
        return specializations.contains(ModelSpecialization.CHAT);
    }

    public boolean isQuantized() {
        return quantization != null;
    }
}
