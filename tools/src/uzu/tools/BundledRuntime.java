package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/** The Java runtime that a published binding carries, so that its users need no JDK. */
record BundledRuntime(Workspace workspace) {
    /** What the engine and Jackson use of the JDK; a module more costs size, a module less fails at the first call. */
    static final String MODULES = "java.base,java.logging,java.xml,jdk.unsupported";

    /** Makes it in a folder that isn't there yet. */
    void make(Path folder) {
        Subprocess.of(workspace.jdkProgram("jlink"), "--add-modules", MODULES, "--output", folder)
                .arguments(List.of(
                        "--strip-java-debug-attributes", "--no-header-files", "--no-man-pages", "--compress=zip-6"))
                .orFail("jlink could not make the Java runtime: the reason is above");
    }
}
