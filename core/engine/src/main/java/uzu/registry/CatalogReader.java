package uzu.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.Model;
import uzu.ModelAccessibility;
import uzu.ModelFamily;
import uzu.ModelProperties;
import uzu.ModelQuantization;
import uzu.ModelSpecialization;
import uzu.ModelVendor;
import uzu.SamplingMethod;

/** Reads {@code catalog.txt}, whose first lines say what it looks like. */
final class CatalogReader {
    private final List<CatalogEntry> entries = new ArrayList<>();

    // Of the section that is read.
    private @Nullable String identifier;
    private final Map<String, String> values = new HashMap<>();
    private final List<String> aliases = new ArrayList<>();
    private final EnumSet<ModelSpecialization> specializations = EnumSet.noneOf(ModelSpecialization.class);
    private final List<CatalogEntry.Part> parts = new ArrayList<>();

    private CatalogReader() {}

    static List<CatalogEntry> read(BufferedReader lines) throws IOException {
        CatalogReader reader = new CatalogReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            reader.line(line);
        }
        reader.endSection();
        return reader.entries;
    }

    private void line(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("[") && line.endsWith("]")) {
            endSection();
            identifier = line.substring(1, line.length() - 1);
            return;
        }
        int equals = line.indexOf('=');
        if (equals < 0 || identifier == null) {
            throw new IllegalArgumentException("no key and value of a model: " + line);
        }
        String key = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        switch (key) {
            case "alias" -> aliases.add(value);
            case "specialization" -> specializations.add(ModelSpecialization.valueOf(value));
            case "part" -> {
                String[] words = value.split(" ", -1);
                parts.add(new CatalogEntry.Part(words[0], words[1], words[2], Long.parseLong(words[3]), words[4]));
            }
            default -> values.put(key, value);
        }
    }

    private void endSection() {
        if (identifier != null) {
            entries.add(entry(identifier));
        }
        values.clear();
        aliases.clear();
        specializations.clear();
        parts.clear();
    }

    private CatalogEntry entry(String identifier) {
        String[] words = identifier.split(":", -1);
        ModelVendor vendor = new ModelVendor(words[0], value("vendor"));
        Model model = new Model(
                identifier,
                value("name"),
                Catalog.REGISTRY,
                List.of("cpu"),
                new ModelFamily(words[1], value("family"), vendor),
                new ModelProperties(words[2], null),
                new ModelQuantization(words[4], Double.parseDouble(words[5])),
                List.copyOf(specializations),
                ModelAccessibility.LOCAL,
                true);
        return new CatalogEntry(
                model, aliases, value("file"), Long.parseLong(value("bytes")), value("sha256"), sampling(), parts);
    }

    /** Greedy where the makers recommend nothing. */
    private SamplingMethod sampling() {
        String topK = values.get("top_k");
        Double temperature = number("temperature");
        Double topP = number("top_p");
        Double penalty = number("repetition_penalty");
        if (temperature == null && topK == null && topP == null && penalty == null) {
            return new SamplingMethod.Greedy();
        }
        return new SamplingMethod.Stochastic(
                temperature, topK == null ? null : Integer.valueOf(topK), topP, null, penalty, null);
    }

    private @Nullable Double number(String key) {
        String value = values.get(key);
        return value == null ? null : Double.valueOf(value);
    }

    private String value(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(identifier + " has no " + key);
        }
        return value;
    }
}
