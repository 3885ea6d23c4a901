package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A package that depends on ours by version, from a git repository, as one finds it elsewhere: it compiles without a word
 * of where libuzu is, finds the library when it runs, and says where it looked when there is none.
 */
record SwiftDependency(SwiftPackage swift, Path folder) {
    private static final String VERSION = "1.2.3";
    /** What of the repository the package is made of. */
    private static final List<String> SOURCES =
            List.of("Package.swift", "bindings-swift-bridge/Sources", "core/bridge/src/main/c/uzu.h");

    private static final String PACKAGE = """
            // swift-tools-version: 6.0
            import PackageDescription

            let package = Package(
                name: "client",
                dependencies: [.package(url: "%s", from: "%s")],
                targets: [
                    .executableTarget(
                        name: "client",
                        dependencies: [
                            .product(name: "Uzu", package: "uzu"), .product(name: "FoundationModels", package: "uzu"),
                        ]
                    )
                ]
            )
            """;
    private static final String PROGRAM = """
            import FoundationModels
            import Uzu

            @Generable
            struct City {
                let name: String
            }

            do {
                let engine = try await Engine.create(config: .create().withOffline(offline: true))
                let hasModels = try await !engine.models().isEmpty
                print("models:", hasModels, "fields:", City.generationSchema.debugDescription.contains("name"))
            } catch let error as UzuError {
                print(error.code, error.message)
            }
            """;

    /** What went wrong; empty when nothing did. */
    Optional<String> fault() {
        if (Subprocess.find("git").isEmpty()) {
            throw new Failure("git is missing");
        }
        Workspace.delete(folder);
        Path client = folder.resolve("client");
        publish(folder.resolve("uzu"));
        write(
                client.resolve("Package.swift"),
                PACKAGE.formatted(folder.resolve("uzu").toUri(), VERSION));
        write(client.resolve("Sources/client/main.swift"), PROGRAM);
        Path scratch = folder.resolve("scratch");
        // Nothing of an earlier run may stand for this one.
        int status = swift.toolchain()
                .build()
                .arguments(List.of("--package-path", client, "--scratch-path", scratch))
                .arguments(
                        List.of("--cache-path", folder.resolve("cache"), "--security-path", folder.resolve("security")))
                .run();
        if (status != 0) {
            return Optional.of("a package that depends on ours by version does not compile");
        }
        Subprocess program = swift.toolchain().run(scratch.resolve("debug/client"));
        String library = swift.library().toString();
        String found = program.with("UZU_LIBRARY", library).output().orElse("nothing");
        String missed = program.with("HOME", folder).output().orElse("nothing");
        Workspace.delete(folder);
        if (!found.equals("models: true fields: true")) {
            return Optional.of("a package that depends on ours by version said " + found);
        }
        boolean saysWhere = missed.startsWith("invalid_state") && missed.contains(folder + "/.local/lib/uzu/");
        return saysWhere ? Optional.empty() : Optional.of("without a library it said " + missed);
    }

    private void publish(Path repository) {
        Path root = swift.folder();
        SOURCES.forEach(each -> Workspace.copy(root.resolve(each), repository.resolve(each)));
        git(repository, "init", "--quiet");
        git(repository, "add", ".");
        git(repository, "-c", "user.name=uzu", "-c", "user.email=uzu@localhost", "commit", "--quiet", "-m", "All");
        git(repository, "tag", VERSION);
    }

    private static void git(Path repository, Object... arguments) {
        Subprocess.of("git", "-C", repository).arguments(List.of(arguments)).orFail("git failed in " + repository);
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
