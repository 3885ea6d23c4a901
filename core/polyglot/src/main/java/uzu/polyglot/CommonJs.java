package uzu.polyglot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import uzu.polyglot.NodePackages.Kind;

/** Files with {@code require} and {@code exports}: what {@code require.js} calls, and such files as ES modules. */
final class CommonJs {
    private static final JsonMapper JSON = new JsonMapper();

    private final NodePackages packages;

    CommonJs(NodePackages packages) {
        this.packages = packages;
    }

    @Nullable ProxyExecutable function(String name) {
        return switch (name) {
            case "resolve" -> values -> resolved(values[0].asString(), Path.of(values[1].asString()));
            case "builtin" -> values -> builtin(values[0].asString());
            case "isCommonJs" -> values -> packages.isCommonJs(Path.of(values[0].asString()));
            case "text" -> values -> text(Path.of(values[0].asString()));
            case "compile" -> values -> compiled(Path.of(values[0].asString()));
            default -> null;
        };
    }

    /** What it exports, for an import; by name what can be seen without running it. */
    String asModule(Path file) {
        String path = JSON.writeValueAsString(file.toString());
        StringBuilder module = new StringBuilder("""
                import { createRequire } from 'node:module';
                const exported = createRequire(%s)(%1$s);
                export default exported;
                """.formatted(path));
        int number = 0;
        for (String name : names(file, new HashSet<>())) {
            // Any word may name an export, but not a variable.
            module.append("const $%d = exported?.%s;\nexport { $%1$d as %2$s };\n".formatted(number++, name));
        }
        return module.toString();
    }

    private Set<String> names(Path file, Set<Path> seen) {
        if (!seen.add(file) || !packages.isCommonJs(file)) {
            return Set.of();
        }
        String text = text(file);
        TreeSet<String> names = CommonJsNames.in(text);
        for (String specifier : CommonJsNames.reexported(text)) {
            String other = resolved(specifier, file.resolveSibling(""));
            if (other != null) {
                names.addAll(names(Path.of(other), seen));
            }
        }
        return names;
    }

    private @Nullable String resolved(String specifier, Path folder) {
        Path found = specifier.startsWith(".") || Path.of(specifier).isAbsolute()
                ? packages.file(folder.resolve(specifier).normalize(), Kind.REQUIRE)
                : packages.resolve(specifier, folder, Kind.REQUIRE);
        try {
            return found == null ? null : found.toRealPath().toString();
        } catch (IOException missing) {
            return null;
        }
    }

    /** The namespace of a module of this jar; null when there is none of the name. */
    private static @Nullable Object builtin(String name) {
        String plain = name.replaceFirst("^node:", "");
        Path module = ModuleFiles.builtin(plain);
        if (module == null) {
            return null;
        }
        String specifier = plain.equals("uzu") ? module.toString() : "node:" + plain;
        return Context.getCurrent()
                .eval(Source.newBuilder("js", "export * as module from '" + specifier + "';", "require-" + plain)
                        .mimeType("application/javascript+module")
                        .internal(true)
                        .buildLiteral())
                .getMember("module");
    }

    private static Value compiled(Path file) {
        String text = text(file).replaceFirst("^\uFEFF", "").replaceFirst("^#!", "//");
        // On the first line, so that lines keep their numbers.
        String function = "(function (exports, require, module, __filename, __dirname) { " + text + "\n})";
        return Context.getCurrent()
                .eval(Source.newBuilder("js", function, file.toString())
                        .uri(file.toUri())
                        .buildLiteral());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new IllegalStateException("The file can't be read: " + file, failure);
        }
    }
}
