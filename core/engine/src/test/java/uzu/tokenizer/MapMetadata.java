package uzu.tokenizer;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.Metadata;

/** Metadata that a test writes down. */
record MapMetadata(Map<String, Object> values) implements Metadata {
    private <T> T get(String key, Class<T> type) {
        Object value = values.get(key);
        if (!type.isInstance(value)) {
            throw new UzuException.ModelCorrupt(key, Map.of("field", key));
        }
        return type.cast(value);
    }

    @Override
    public Set<String> keys() {
        return values.keySet();
    }

    @Override
    public boolean has(String key) {
        return values.containsKey(key);
    }

    @Override
    public String string(String key) {
        return get(key, String.class);
    }

    @Override
    public @Nullable String stringOr(String key, @Nullable String otherwise) {
        return has(key) ? string(key) : otherwise;
    }

    @Override
    public long integer(String key) {
        return get(key, Number.class).longValue();
    }

    @Override
    public long integerOr(String key, long otherwise) {
        return has(key) ? integer(key) : otherwise;
    }

    @Override
    public double number(String key) {
        return get(key, Number.class).doubleValue();
    }

    @Override
    public double numberOr(String key, double otherwise) {
        return has(key) ? number(key) : otherwise;
    }

    @Override
    public boolean bool(String key) {
        return get(key, Boolean.class);
    }

    @Override
    public boolean boolOr(String key, boolean otherwise) {
        return has(key) ? bool(key) : otherwise;
    }

    @Override
    public String[] strings(String key) {
        return get(key, String[].class);
    }

    @Override
    public int[] ints(String key) {
        return get(key, int[].class);
    }

    @Override
    public float[] floats(String key) {
        return get(key, float[].class);
    }
}
