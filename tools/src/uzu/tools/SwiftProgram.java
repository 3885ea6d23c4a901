package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A file in Swift as a program: an example is a target of its package, any other file gets a package around it. */
record SwiftProgram(Workspace workspace, Path file) {
    private static final String SCRIPT = "script";
    private static final String PACKAGE = """
            // swift-tools-version: 6.0
            import PackageDescription

            #if canImport(Darwin)
                let types: [Target.Dependency] = []
            #else
                let types: [Target.Dependency] = [.product(name: "FoundationModels", package: "uzu")]
            #endif

            let package = Package(
                name: "script",
                platforms: [.macOS(.v13)],
                dependencies: [.package(name: "uzu", path: "%s")],
                targets: [
                    .executableTarget(
                        name: "script",
                        dependencies: [.product(name: "Uzu", package: "uzu")] + types
                    )
                ]
            )
            """;

    int run(List<String> arguments) {
        return prepared().arguments(arguments).run();
    }

    /** Built; the program, to be given its arguments. */
    Subprocess prepared() {
        SwiftPackage swift = new SwiftPackage(workspace);
        swift.ensure();
        Path folder = file.getParent();
        boolean isExample = swift.examples().equals(folder.getParent());
        String name = isExample ? folder.getFileName().toString() : SCRIPT;
        swift.build(isExample ? swift.examples() : script(swift))
                .arguments(List.of("--product", name))
                .orFail(file + " can't be built: the reason is above");
        return swift.program(name);
    }

    private Path script(SwiftPackage swift) {
        Path folder = workspace.build().resolve("swift-script");
        Path sources = folder.resolve("Sources").resolve(SCRIPT);
        try {
            Files.createDirectories(sources);
            Files.writeString(folder.resolve("Package.swift"), PACKAGE.formatted(workspace.root()));
            Files.copy(file, sources.resolve("main.swift"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }
}
