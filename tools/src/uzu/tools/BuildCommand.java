package uzu.tools;

import java.util.List;

/** {@code build [java|native|python|kernels [--all]]}. */
record BuildCommand(Workspace workspace) {
    int run(List<String> arguments) {
        boolean all = arguments.contains("--all");
        List<String> targets =
                arguments.stream().filter(each -> !each.equals("--all")).toList();
        if (all && !targets.equals(List.of("kernels"))) {
            throw new Failure("--all belongs to: build kernels --all", 2);
        }
        for (String target : targets.isEmpty() ? List.of("java", "native", "python") : targets) {
            switch (target) {
                case "java" -> new JavaBuild(workspace).ensure();
                case "native" -> new NativeBuild(workspace).ensure();
                case "python" -> new PythonWheel(workspace).ensure();
                case "kernels" -> kernels(all);
                default -> throw new Failure("build knows java, native, python and kernels, not " + target, 2);
            }
        }
        return 0;
    }

    private void kernels(boolean all) {
        KernelBuild kernels = new KernelBuild(workspace);
        if (all) {
            kernels.ensureAll();
        } else {
            kernels.ensure();
        }
        Workspace.filesBelow(kernels.folder())
                .forEach(each -> Progress.say(workspace.root().relativize(each).toString()));
    }
}
