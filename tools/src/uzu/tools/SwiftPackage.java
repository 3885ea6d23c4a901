package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/** bindings-swift-bridge, ready for the packages that use it. All of them are built in one folder, so that they share it. */
record SwiftPackage(Workspace workspace) {
    private static final String KEEP_NO_PLAN = "--disable-build-manifest-caching";

    /** Fetches Swift and builds libuzu where these are missing or stale. */
    void ensure() {
        toolchain().ensure();
        new NativeFolder(workspace, "swift", library().getParent()).ensure();
    }

    /** Makes it ready and compiles it. */
    void build() {
        ensure();
        Progress.say("compiling the Swift package");
        build(folder()).orFail("the Swift package does not compile");
    }

    /** {@code swift build} of the package in a folder. */
    Subprocess build(Path packageFolder) {
        // A plan that is kept is taken for that of any package which is built in the same folder.
        return toolchain().build().arguments(places(packageFolder)).arguments(List.of(KEEP_NO_PLAN));
    }

    /** {@code swift test} of this package, with these arguments. */
    Subprocess test(Object... arguments) {
        return toolchain().swift("test").arguments(places(folder())).arguments(List.of(arguments));
    }

    private List<Object> places(Path packageFolder) {
        return List.of("--package-path", packageFolder, "--scratch-path", scratch());
    }

    /** A program that was built from one of the packages. */
    Subprocess program(String name) {
        return toolchain().run(products().resolve(name)).with("UZU_JAVA_HOME", workspace.jdk());
    }

    SwiftToolchain toolchain() {
        return new SwiftToolchain(workspace);
    }

    /** SwiftPM finds packages at the root of a repository only. */
    Path folder() {
        return workspace.root();
    }

    /** libuzu over a JVM, which the package finds by itself when it is used by its path. */
    Path library() {
        return workspace.root().resolve("bindings-swift-bridge/native").resolve(System.mapLibraryName("uzu"));
    }

    Path examples() {
        return workspace.root().resolve("examples/swift");
    }

    /** Programs and modules that were built from any of the packages. */
    Path products() {
        return scratch().resolve("debug");
    }

    private Path scratch() {
        return workspace.build().resolve("swift");
    }
}
