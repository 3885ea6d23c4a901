package uzu.polyglot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where Node.js would find an ES module by its package's name: in the node_modules of a folder and of those above it,
 * and in further folders of packages; by the package's exports, else its module or main.
 */
record NodePackages(Path from, List<Path> further) {
    private static final Set<String> CONDITIONS = Set.of("graaljs", "node", "import", "default");
    private static final JsonMapper JSON = new JsonMapper();

    /** @param specifier {@code zod}, {@code zod/v4}, {@code @scope/name/part} */
    @Nullable Path resolve(String specifier) {
        int slash = specifier.indexOf('/', specifier.startsWith("@") ? specifier.indexOf('/') + 1 : 0);
        String name = slash < 0 ? specifier : specifier.substring(0, slash);
        String part = slash < 0 ? "." : "." + specifier.substring(slash);
        for (Path folder = from; folder != null; folder = folder.getParent()) {
            Path found = in(folder.resolve("node_modules").resolve(name), part);
            if (found != null) {
                return found;
            }
        }
        return further.stream()
                .map(folder -> in(folder.resolve(name), part))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Path in(Path packageFolder, String part) {
        Path description = packageFolder.resolve("package.json");
        if (!Files.isRegularFile(description)) {
            return null;
        }
        JsonNode json = read(description);
        JsonNode exports = json.get("exports");
        if (exports != null) {
            String target = exported(exports, part);
            return target == null ? null : packageFolder.resolve(target).normalize();
        }
        if (!part.equals(".")) {
            return packageFolder.resolve(part).normalize();
        }
        String main = json.path("module").asString(json.path("main").asString("index.js"));
        return packageFolder.resolve(main).normalize();
    }

    private static @Nullable String exported(JsonNode exports, String part) {
        boolean hasParts =
                exports.isObject() && exports.propertyNames().stream().anyMatch(name -> name.startsWith("."));
        if (!hasParts) {
            return part.equals(".") ? target(exports, "") : null;
        }
        JsonNode exact = exports.get(part);
        if (exact != null) {
            return target(exact, "");
        }
        for (Map.Entry<String, JsonNode> each : exports.properties()) {
            int star = each.getKey().indexOf('*');
            if (star >= 0) {
                String head = each.getKey().substring(0, star);
                String tail = each.getKey().substring(star + 1);
                if (part.length() >= each.getKey().length() && part.startsWith(head) && part.endsWith(tail)) {
                    return target(each.getValue(), part.substring(star, part.length() - tail.length()));
                }
            }
        }
        return null;
    }

    private static @Nullable String target(JsonNode node, String star) {
        if (node.isString()) {
            return node.asString().replace("*", star);
        }
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            if (CONDITIONS.contains(each.getKey())) {
                String found = target(each.getValue(), star);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
