package uzu.model;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * A model's configuration, whichever file it comes from: each setting is asked for by its name in config.json and its
 * key in GGUF (without the architecture's prefix); a null name means that this kind of file doesn't have it. What was
 * never asked for and isn't known to be without effect is refused by {@link #finish}.
 */
interface Settings {
    /** A whole number that must be there, between 1 and {@code most}. */
    int count(@Nullable String field, @Nullable String key, int most);

    int countOr(@Nullable String field, @Nullable String key, int most, int otherwise);

    double numberOr(@Nullable String field, @Nullable String key, double otherwise);

    boolean boolOr(@Nullable String field, @Nullable String key, boolean otherwise);

    @Nullable String stringOr(@Nullable String field, @Nullable String key, @Nullable String otherwise);

    /** A list of strings in config.json, such as the kind of each layer. */
    String @Nullable [] strings(String field);

    /** Base and scaling of the rotation; {@code local} asks for those of sliding layers. */
    RopeSettings rope(boolean local);

    /** Fields of this family that have no effect on results here. */
    void ignore(Set<String> names);

    /** Refuses what is left. */
    void finish();

    /** Whether norms stored for zero-centred use have the 1 added already. */
    boolean normsIncludeOne();

    /** An error that names the setting as the file spells it. */
    UzuException.ModelUnsupported unsupported(String field, @Nullable String key, String found, String expected);
}
