package uzu.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import uzu.ModelRegistry;

/** The models that the engine knows how to fetch; data in {@code catalog.txt}. */
final class Catalog {
    static final ModelRegistry REGISTRY = new ModelRegistry("catalog", "Catalog");

    private final List<CatalogEntry> entries;

    private Catalog(List<CatalogEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** The catalog that comes with the engine. */
    static Catalog builtIn() {
        return read(Objects.requireNonNull(Catalog.class.getResourceAsStream("catalog.txt")));
    }

    static Catalog read(InputStream text) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))) {
            return new Catalog(CatalogReader.read(lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<CatalogEntry> entries() {
        return entries;
    }

    /** By full identifier. */
    @Nullable CatalogEntry entry(String identifier) {
        for (CatalogEntry entry : entries) {
            if (entry.identifier().equals(identifier)) {
                return entry;
            }
        }
        return null;
    }

    /**
     * By identifier, alias, or shorthand: some of the identifier's parts in their order, the family among them. Of
     * several that fit, the largest.
     */
    @Nullable CatalogEntry find(String name) {
        String[] wanted = name.toLowerCase(Locale.ROOT).split(":", -1);
        CatalogEntry largest = null;
        for (CatalogEntry entry : entries) {
            if (entry.isNamed(name)) {
                return entry;
            }
            if (abbreviates(wanted, entry) && (largest == null || entry.bytes() > largest.bytes())) {
                largest = entry;
            }
        }
        return largest;
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
}
