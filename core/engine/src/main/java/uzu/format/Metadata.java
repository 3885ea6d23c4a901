package uzu.format;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key/value section of a GGUF file. Each getter without a default throws {@link uzu.UzuException.ModelCorrupt}
 * naming the key when the key is missing or its value has another type.
 */
public interface Metadata {
    Set<String> keys();

    boolean has(String key);

    String string(String key);

    @Nullable String stringOr(String key, @Nullable String otherwise);

    /** Any integer type, or a float that is whole. */
    long integer(String key);

    long integerOr(String key, long otherwise);

    /** Any number type. */
    double number(String key);

    double numberOr(String key, double otherwise);

    boolean bool(String key);

    boolean boolOr(String key, boolean otherwise);

    String[] strings(String key);

    int[] ints(String key);

    float[] floats(String key);
}
