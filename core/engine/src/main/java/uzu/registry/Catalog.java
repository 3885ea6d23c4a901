package uzu.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.Model;
import uzu.ModelAccessibility;
import uzu.ModelFamily;
import uzu.ModelProperties;
import uzu.ModelQuantization;
import uzu.ModelRegistry;
import uzu.ModelSpecialization;
import uzu.ModelVendor;
import uzu.SamplingMethod;

/** The models that the engine knows how to fetch; data in {@code catalog.json}. */
final class Catalog {
    static final ModelRegistry REGISTRY = new ModelRegistry("catalog", "Catalog");

    private final List<CatalogEntry> entries;

    private Catalog(List<CatalogEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** The catalog that comes with the engine. */
    static Catalog builtIn() {
        try (InputStream json = Objects.requireNonNull(Catalog.class.getResourceAsStream("catalog.json"))) {
            return read(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Catalog read(InputStream json) {
        List<CatalogEntry> entries = new ArrayList<>();
        for (JsonNode node : new JsonMapper().readTree(json).required("models")) {
            entries.add(entry(node));
        }
        return new Catalog(entries);
    }

    List<CatalogEntry> entries() {
        return entries;
    }

    /** By full identifier. */
    @Nullable CatalogEntry entry(String identifier) {
        return entries.stream()
                .filter(entry -> entry.identifier().equals(identifier))
                .findFirst()
                .orElse(null);
    }

    /**
     * By identifier, alias, or shorthand: some of the identifier's parts in their order, the family among them. Of
     * several that fit, the largest.
     */
    @Nullable CatalogEntry find(String name) {
        for (CatalogEntry entry : entries) {
            if (entry.identifier().equalsIgnoreCase(name)
                    || entry.aliases().stream().anyMatch(name::equalsIgnoreCase)) {
                return entry;
            }
        }
        String[] wanted = name.toLowerCase(Locale.ROOT).split(":", -1);
        return entries.stream()
                .filter(entry -> abbreviates(wanted, entry))
                .max(Comparator.comparingLong(CatalogEntry::bytes))
                .orElse(null);
    }

    private static boolean abbreviates(String[] wanted, CatalogEntry entry) {
        String[] parts = entry.identifier().split(":");
        int next = 0;
        boolean family = false;
        for (int i = 0; i < parts.length && next < wanted.length; i++) {
            if (parts[i].equals(wanted[next])) {
                family |= i == 1;
                next++;
            }
        }
        return family && next == wanted.length;
    }

    private static CatalogEntry entry(JsonNode node) {
        ModelVendor vendor =
                new ModelVendor(text(node.required("vendor"), "identifier"), text(node.required("vendor"), "name"));
        ModelFamily family = new ModelFamily(
                text(node.required("family"), "identifier"), text(node.required("family"), "name"), vendor);
        JsonNode quantization = node.required("quantization");
        Model model = new Model(
                text(node, "identifier"),
                text(node, "name"),
                REGISTRY,
                List.of("cpu"),
                family,
                new ModelProperties(text(node, "size"), null),
                new ModelQuantization(
                        text(quantization, "method"),
                        quantization.required("bits").doubleValue()),
                texts(node.required("specializations")).stream()
                        .map(ModelSpecialization::valueOf)
                        .toList(),
                ModelAccessibility.LOCAL,
                true);
        List<CatalogEntry.Part> parts = new ArrayList<>();
        for (JsonNode part : node.required("parts")) {
            parts.add(new CatalogEntry.Part(
                    text(part, "package"),
                    text(part, "version"),
                    text(part, "file"),
                    part.required("bytes").longValue(),
                    text(part, "sha256")));
        }
        return new CatalogEntry(
                model,
                texts(node.required("aliases")),
                text(node, "file"),
                node.required("bytes").longValue(),
                text(node, "sha256"),
                sampling(node.get("sampling")),
                parts);
    }

    /** Greedy where the makers recommend nothing. */
    private static SamplingMethod sampling(@Nullable JsonNode node) {
        if (node == null) {
            return new SamplingMethod.Greedy();
        }
        JsonNode topK = node.get("top_k");
        return new SamplingMethod.Stochastic(
                number(node, "temperature"),
                topK == null ? null : topK.intValue(),
                number(node, "top_p"),
                null,
                number(node, "repetition_penalty"),
                null);
    }

    private static @Nullable Double number(JsonNode node, String field) {
        JsonNode value = node.get(field);
        return value == null ? null : value.doubleValue();
    }

    private static String text(JsonNode node, String field) {
        return node.required(field).stringValue();
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::stringValue).toList();
    }
}
