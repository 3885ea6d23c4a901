package uzu.tools;

import java.util.List;

/** The commands that the uzu program itself has, on a fresh build. */
record AppCommand(Workspace workspace) {
    /** @param arguments the command's name and what follows it */
    int run(List<String> arguments) {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        new NativeBuild(workspace).ensureKernels();
        return java.java(java.classPath())
                .arguments(List.of("uzu.app.Main"))
                .arguments(arguments)
                .run();
    }
}
