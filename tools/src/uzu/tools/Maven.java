package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/** The Maven on the PATH, run with the JDK that the launcher has chosen. */
record Maven(Workspace workspace) {
    Subprocess goals(String... goals) {
        Path maven = Subprocess.find("mvn")
                .orElseThrow(() ->
                        new Failure("Maven is missing: install Maven 3.8 or newer (mvn on the PATH), for example: "
                                + installation()));
        return Subprocess.of(maven, "--batch-mode", "--no-transfer-progress")
                .arguments(List.of(goals))
                .in(workspace.root())
                .with("JAVA_HOME", workspace.jdk());
    }

    private static String installation() {
        String system = System.getProperty("os.name");
        if (Workspace.isWindows()) {
            return "scoop install maven";
        }
        return system.startsWith("Mac") ? "brew install maven" : "apt install maven";
    }
}
