package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** bindings-js, ready to be imported: lib has what tsc makes of src, native the addon with what it loads. */
record JsPackage(Workspace workspace) {
    void ensure() {
        NodeEnvironment node = new NodeEnvironment(workspace);
        node.ensure();
        Path natives = workspace.js().resolve("native");
        boolean fresh = new NativeFolder(workspace, "js", natives).ensure();
        ensureAddon(node, natives, fresh);
        ensureCode(node);
    }

    private void ensureAddon(NodeEnvironment node, Path natives, boolean folderIsNew) {
        Path sources = workspace.js().resolve("addon");
        Path compiler = NativeBuild.compiler().orElseThrow(() -> new Failure("a C compiler is missing: install gcc"));
        Stamp stamp = Stamp.of(workspace, "js-addon", List.of(sources, natives.resolve("uzu.h")), compiler);
        if (stamp.isFresh() && !folderIsNew && Files.isRegularFile(natives.resolve("uzu.node"))) {
            return;
        }
        Progress.say("compiling the addon for Node.js");
        Subprocess.of("sh", sources.resolve("build.sh"), node.packages().resolve("node-api-headers/include"))
                .arguments(List.of(natives, natives))
                .with("CC", compiler)
                .orFail("compiling the addon failed: the reason is above");
        stamp.write();
    }

    private void ensureCode(NodeEnvironment node) {
        Path code = workspace.js().resolve("lib");
        Path settings = workspace.js().resolve("tsconfig.json");
        Stamp stamp = Stamp.of(workspace, "js-code", List.of(workspace.js().resolve("src"), settings));
        if (stamp.isFresh() && Files.isDirectory(code)) {
            return;
        }
        Progress.say("compiling TypeScript");
        Workspace.delete(code);
        node.tsc("--project", settings).orFail("tsc refuses bindings-js: the reason is above");
        stamp.write();
    }
}
