package uzu.tools;

import java.util.List;

/** {@code build [java|native|python]}. */
record BuildCommand(Workspace workspace) {
    int run(List<String> arguments) {
        for (String target : arguments.isEmpty() ? List.of("java", "native", "python") : arguments) {
            switch (target) {
                case "java" -> new JavaBuild(workspace).ensure();
                case "native" -> new NativeBuild(workspace).ensure();
                case "python" -> new PythonWheel(workspace).ensure();
                default -> throw new Failure("build knows java, native and python, not " + target, 2);
            }
        }
        return 0;
    }
}
