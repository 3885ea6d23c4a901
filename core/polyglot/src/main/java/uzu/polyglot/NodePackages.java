package uzu.polyglot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where Node.js would find a module by its package's name: in the node_modules of a folder and of those above it, and in
 * further folders of packages; by the package's exports, else its module or main. For one thread.
 */
final class NodePackages {
    /** Who asks: packages have different files for either. */
    enum Kind {
        IMPORT(Set.of("graaljs", "node", "import", "module-sync", "default")),
        REQUIRE(Set.of("graaljs", "node", "require", "default"));

        private final Set<String> conditions;

        Kind(Set<String> conditions) {
            this.conditions = conditions;
        }
    }

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern MODULE_SYNTAX = Pattern.compile(
            "^\\s*(?:import\\b\\s*[\\w{*'\"$]|export\\b\\s*[\\w{*])|\\bimport\\.meta\\b", Pattern.MULTILINE);
    private static final Pattern COMMON_JS_SYNTAX =
            Pattern.compile("\\b(?:require\\s*\\(|module\\.exports\\b|exports\\.)");

    private final List<Path> further;
    private final Map<Path, JsonNode> descriptions = new HashMap<>();
    private final Map<Path, Boolean> commonJs = new HashMap<>();

    NodePackages(List<Path> further) {
        this.further = further;
    }

    /**
     * @param specifier {@code zod}, {@code zod/v4}, {@code @scope/name/part}, {@code #name} of a package's own imports
     * @param from the folder of the file that asks
     */
    @Nullable Path resolve(String specifier, Path from, Kind kind) {
        if (specifier.startsWith("#")) {
            return own(specifier, from, kind);
        }
        int slash = specifier.indexOf('/', specifier.startsWith("@") ? specifier.indexOf('/') + 1 : 0);
        String name = slash < 0 ? specifier : specifier.substring(0, slash);
        String part = slash < 0 ? "." : "." + specifier.substring(slash);
        Path around = packageAround(from);
        if (around != null && describe(around).path("name").asString("").equals(name)) {
            Path found = in(around, part, kind);
            if (found != null) {
                return found;
            }
        }
        Stream<Path> above = Stream.<Path>iterate(from, folder -> folder != null, Path::getParent)
                .map(folder -> folder.resolve("node_modules"));
        return Stream.concat(above, further.stream())
                .map(folder -> in(folder.resolve(name), part, kind))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    /** A file that is named without its ending, or a folder's file, as {@code require} finds it. */
    @Nullable Path file(Path path, Kind kind) {
        for (String ending : List.of("", ".js", ".json", ".cjs", ".mjs")) {
            Path candidate = path.resolveSibling(path.getFileName() + ending);
            if (Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        if (!Files.isDirectory(path)) {
            return null;
        }
        Path main = path.resolve(main(describe(path), kind)).normalize();
        return main.equals(path) ? null : file(main, kind);
    }

    /** Whether a file has {@code require} and {@code exports}: by its name, its package, else by what is in it. */
    boolean isCommonJs(Path file) {
        String name = file.getFileName().toString();
        if (!name.endsWith(".js")) {
            return name.endsWith(".cjs");
        }
        return commonJs.computeIfAbsent(file, this::looksLikeCommonJs);
    }

    private boolean looksLikeCommonJs(Path file) {
        Path around = packageAround(file.getParent());
        if (around != null && describe(around).path("type").asString("").equals("module")) {
            return false;
        }
        String text = read(file);
        return !MODULE_SYNTAX.matcher(text).find()
                && COMMON_JS_SYNTAX.matcher(text).find();
    }

    private @Nullable Path own(String specifier, Path from, Kind kind) {
        Path around = packageAround(from);
        JsonNode imports = around == null ? null : describe(around).get("imports");
        String target = imports == null ? null : among(imports, specifier, kind);
        if (target == null || around == null) {
            return null;
        }
        return target.startsWith("./") ? around.resolve(target).normalize() : resolve(target, around, kind);
    }

    private @Nullable Path in(Path packageFolder, String part, Kind kind) {
        if (!Files.isRegularFile(packageFolder.resolve("package.json"))) {
            return null;
        }
        JsonNode json = describe(packageFolder);
        JsonNode exports = json.get("exports");
        if (exports != null) {
            String target = exported(exports, part, kind);
            return target == null ? null : packageFolder.resolve(target).normalize();
        }
        Path path = packageFolder
                .resolve(part.equals(".") ? main(json, kind) : part)
                .normalize();
        Path found = file(path, kind);
        return found == null ? path : found;
    }

    private static String main(JsonNode json, Kind kind) {
        String main = json.path("main").asString("index.js");
        return kind == Kind.IMPORT ? json.path("module").asString(main) : main;
    }

    private static @Nullable String exported(JsonNode exports, String part, Kind kind) {
        boolean hasParts =
                exports.isObject() && exports.propertyNames().stream().anyMatch(name -> name.startsWith("."));
        if (!hasParts) {
            return part.equals(".") ? target(exports, "", kind) : null;
        }
        return among(exports, part, kind);
    }

    /** The entry of this name, or that with a star which says most of it. */
    private static @Nullable String among(JsonNode entries, String name, Kind kind) {
        JsonNode exact = entries.get(name);
        if (exact != null) {
            return target(exact, "", kind);
        }
        String best = null;
        String found = null;
        for (Map.Entry<String, JsonNode> each : entries.properties()) {
            int star = each.getKey().indexOf('*');
            if (star < 0) {
                continue;
            }
            String head = each.getKey().substring(0, star);
            String tail = each.getKey().substring(star + 1);
            boolean fits = name.length() >= each.getKey().length() && name.startsWith(head) && name.endsWith(tail);
            if (fits && (best == null || each.getKey().length() > best.length())) {
                best = each.getKey();
                found = target(each.getValue(), name.substring(star, name.length() - tail.length()), kind);
            }
        }
        return found;
    }

    private static @Nullable String target(JsonNode node, String star, Kind kind) {
        if (node.isString()) {
            return node.asString().replace("*", star);
        }
        for (JsonNode each : node.isArray() ? node.values() : List.<JsonNode>of()) {
            String found = target(each, star, kind);
            if (found != null) {
                return found;
            }
        }
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            if (kind.conditions.contains(each.getKey())) {
                String found = target(each.getValue(), star, kind);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private @Nullable Path packageAround(@Nullable Path folder) {
        for (Path each = folder; each != null; each = each.getParent()) {
            if (Files.isRegularFile(each.resolve("package.json"))) {
                return each;
            }
        }
        return null;
    }

    private JsonNode describe(Path folder) {
        return descriptions.computeIfAbsent(folder, each -> {
            Path file = each.resolve("package.json");
            return Files.isRegularFile(file) ? JSON.readTree(read(file)) : JSON.createObjectNode();
        });
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
