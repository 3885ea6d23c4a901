package uzu.model;

import java.util.Map;
import java.util.Set;

/** A model family: how its configuration is read and what its tensors become. */
interface Family {
    /** Its names: {@code general.architecture} of GGUF files and {@code model_type} of config.json. */
    Set<String> names();

    /** Modules that GGUF files of this family name in their own way. */
    default Map<String, String> ggufNames() {
        return Map.of();
    }

    Decoder read(Settings settings, Weights weights, Source source);

    /** Which kind of file is read, where it matters for the order of rows. */
    enum Source {
        HUGGING_FACE,
        GGUF
    }
}
