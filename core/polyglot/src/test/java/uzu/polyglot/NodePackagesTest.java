package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePackagesTest {
    @TempDir
    Path folder;

    private NodePackages packages;

    @BeforeEach
    void aScriptInAFolderBelow() {
        packages = new NodePackages(folder.resolve("a/b"), List.of(folder.resolve("further")));
    }

    @Test
    void aPackageOfAFolderAboveIsFoundByItsExports() throws IOException {
        Path found = write("node_modules/p", """
                {"exports": {".": {"require": "./p.cjs", "import": {"types": "./p.d.ts", "default": "./p.mjs"}}}}""");
        assertEquals(found.resolve("p.mjs"), packages.resolve("p"));
        assertNull(packages.resolve("p/hidden"));
    }

    @Test
    void exportsMayBeOneTextOrHavePartsAndPatterns() throws IOException {
        Path one = write("a/node_modules/@s/one", "{\"exports\": \"./one.js\"}");
        assertEquals(one.resolve("one.js"), packages.resolve("@s/one"));
        Path many = write("a/node_modules/many", """
                {"exports": {"./x": "./lib/x.js", "./locales/*": {"import": "./lib/locales/*.js"}}}""");
        assertEquals(many.resolve("lib/x.js"), packages.resolve("many/x"));
        assertEquals(many.resolve("lib/locales/de.js"), packages.resolve("many/locales/de"));
    }

    @Test
    void withoutExportsItIsTheModuleOrTheMainOrAnyFile() throws IOException {
        Path found = write("further/old", "{\"main\": \"main.js\", \"module\": \"module.js\"}");
        assertEquals(found.resolve("module.js"), packages.resolve("old"));
        assertEquals(found.resolve("lib/part.js"), packages.resolve("old/lib/part.js"));
        Path bare = write("further/bare", "{}");
        assertEquals(bare.resolve("index.js"), packages.resolve("bare"));
        assertNull(packages.resolve("nowhere"));
    }

    private Path write(String name, String description) throws IOException {
        Path packageFolder = Files.createDirectories(folder.resolve(name));
        Files.writeString(packageFolder.resolve("package.json"), description);
        return packageFolder;
    }
}
