package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePackagesTest {
    @TempDir
    Path folder;

    private NodePackages packages;

    @BeforeEach
    void aScriptInAFolderBelow() {
        packages = new NodePackages(List.of(folder.resolve("further")));
    }

    @Test
    void aPackageOfAFolderAboveIsFoundByItsExports() throws IOException {
        Path found = write("node_modules/p", """
                {"exports": {".": {"require": "./p.cjs", "import": {"types": "./p.d.ts", "default": "./p.mjs"}}}}""");
        assertEquals(found.resolve("p.mjs"), imported("p"));
        assertNull(imported("p/hidden"));
    }

    @Test
    void exportsMayBeOneTextOrHavePartsAndPatterns() throws IOException {
        Path one = write("a/node_modules/@s/one", "{\"exports\": \"./one.js\"}");
        assertEquals(one.resolve("one.js"), imported("@s/one"));
        Path many = write("a/node_modules/many", """
                {"exports": {"./x": "./lib/x.js", "./locales/*": {"import": "./lib/locales/*.js"}}}""");
        assertEquals(many.resolve("lib/x.js"), imported("many/x"));
        assertEquals(many.resolve("lib/locales/de.js"), imported("many/locales/de"));
    }

    @Test
    void withoutExportsItIsTheModuleOrTheMainOrAnyFile() throws IOException {
        Path found = write("further/old", "{\"main\": \"main.js\", \"module\": \"module.js\"}");
        assertEquals(found.resolve("module.js"), imported("old"));
        assertEquals(found.resolve("lib/part.js"), imported("old/lib/part.js"));
        Path bare = write("further/bare", "{}");
        assertEquals(bare.resolve("index.js"), imported("bare"));
        assertNull(imported("nowhere"));
    }

    @Test
    void packagesHaveOtherFilesForRequireAndImportsOfTheirOwn() throws IOException {
        Path found = write("node_modules/p", """
                {"name": "p", "exports": {".": {"require": "./p.cjs", "import": "./p.mjs"}, "./f/*.js": ["./lib/*.js"]},
                 "imports": {"#x/*": {"node": "./x/*.js"}, "#q": "q"}}""");
        assertEquals(found.resolve("p.cjs"), packages.resolve("p", folder, NodePackages.Kind.REQUIRE));
        assertEquals(found.resolve("lib/a.js"), packages.resolve("p/f/a.js", found, NodePackages.Kind.REQUIRE));
        assertEquals(found.resolve("x/y.js"), packages.resolve("#x/y", found.resolve("lib"), NodePackages.Kind.IMPORT));
        Path other = write("node_modules/p/node_modules/q", "{}");
        assertEquals(other.resolve("index.js"), packages.resolve("#q", found, NodePackages.Kind.IMPORT));
    }

    @Test
    void whichFilesAreOfCommonJsIsSaidByNamePackageOrText() throws IOException {
        assertEquals(true, packages.isCommonJs(file("a.cjs", "")));
        assertEquals(false, packages.isCommonJs(file("a.mjs", "require('x')")));
        assertEquals(true, packages.isCommonJs(file("old.js", "const x = require('x');\nmodule.exports = x;")));
        assertEquals(false, packages.isCommonJs(file("new.js", "import x from 'x';\nrequire('x');")));
        assertEquals(false, packages.isCommonJs(file("plain.js", "console.log(1)")));
        file("module/package.json", "{\"type\": \"module\"}");
        assertEquals(false, packages.isCommonJs(file("module/a.js", "exports.a = 1")));
        assertEquals(
                Set.of("a", "b", "c", "d"),
                CommonJsNames.in(
                        "exports.a = exports.b = 1; Object.defineProperty(exports, \"c\", {}); module.exports = { d, 'e-f': 1 }"));
    }

    private Path file(String name, String text) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        return Files.writeString(folder.resolve(name), text);
    }

    private @Nullable Path imported(String specifier) {
        return packages.resolve(specifier, folder.resolve("a/b"), NodePackages.Kind.IMPORT);
    }

    private Path write(String name, String description) throws IOException {
        Path packageFolder = Files.createDirectories(folder.resolve(name));
        Files.writeString(packageFolder.resolve("package.json"), description);
        return packageFolder;
    }
}
