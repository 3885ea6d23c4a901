package uzu.model;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.Metadata;

/** Settings from GGUF metadata: keys under {@code <architecture>.}. */
final class GgufSettings implements Settings {
    private static final Set<String> WITHOUT_EFFECT = Set.of("vocab_size");

    private final Metadata metadata;
    private final String prefix;
    private final Set<String> asked = new HashSet<>();

    GgufSettings(Metadata metadata, String architecture) {
        this.metadata = metadata;
        this.prefix = architecture + ".";
    }

    private String key(String key) {
        asked.add(prefix + key);
        return prefix + key;
    }

    @Override
    public int count(@Nullable String field, @Nullable String key, int most) {
        if (key == null) {
            throw new UzuException.Internal(field + " has no key in GGUF and no default");
        }
        return checked(key, metadata.integer(key(key)), most);
    }

    @Override
    public int countOr(@Nullable String field, @Nullable String key, int most, int otherwise) {
        return key == null || !metadata.has(key(key)) ? otherwise : count(field, key, most);
    }

    private int checked(String key, long value, int most) {
        if (value < 1 || value > most) {
            throw new UzuException.ModelCorrupt(
                    prefix + key + " is " + value + "; expected 1 to " + most, Map.of("key", prefix + key));
        }
        return (int) value;
    }

    @Override
    public double numberOr(@Nullable String field, @Nullable String key, double otherwise) {
        return key == null ? otherwise : metadata.numberOr(key(key), otherwise);
    }

    @Override
    public boolean boolOr(@Nullable String field, @Nullable String key, boolean otherwise) {
        return key == null ? otherwise : metadata.boolOr(key(key), otherwise);
    }

    @Override
    public @Nullable String stringOr(@Nullable String field, @Nullable String key, @Nullable String otherwise) {
        return key == null ? otherwise : metadata.stringOr(key(key), otherwise);
    }

    @Override
    public String @Nullable [] strings(String field) {
        return null;
    }

    @Override
    public RopeSettings rope(boolean local) {
        if (local) {
            return new RopeSettings(
                    metadata.numberOr(key("rope.freq_base_swa"), 10_000), new RopeSettings.Scaling.None());
        }
        double base = metadata.numberOr(key("rope.freq_base"), 10_000);
        String type = metadata.stringOr(key("rope.scaling.type"), "none");
        double factor = metadata.numberOr(key("rope.scaling.factor"), 1);
        metadata.integerOr(key("rope.scaling.original_context_length"), 0);
        boolean finetuned = metadata.boolOr(key("rope.scaling.finetuned"), false);
        if ("none".equals(type) || (finetuned && factor == 1)) {
            return new RopeSettings(base, new RopeSettings.Scaling.None());
        }
        if (!"linear".equals(type)) {
            throw unsupported("rope_scaling", "rope.scaling.type", String.valueOf(type), "none or linear");
        }
        return new RopeSettings(base, new RopeSettings.Scaling.Linear(factor));
    }

    @Override
    public void ignore(Set<String> names) {
        for (String name : names) {
            asked.add(prefix + name);
        }
    }

    @Override
    public void finish() {
        for (String key : metadata.keys()) {
            if (key.startsWith(prefix)
                    && !asked.contains(key)
                    && !WITHOUT_EFFECT.contains(key.substring(prefix.length()))) {
                throw new UzuException.ModelUnsupported(
                        "the model sets " + key + ", which this version doesn't know", Map.of("key", key));
            }
        }
    }

    @Override
    public boolean normsIncludeOne() {
        return true;
    }

    @Override
    public UzuException.ModelUnsupported unsupported(
            String field, @Nullable String key, String found, String expected) {
        String name = prefix + (key == null ? field : key);
        return new UzuException.ModelUnsupported(
                name + " is " + found + "; supported: " + expected, Map.of("key", name));
    }
}
