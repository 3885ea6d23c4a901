package uzu.tools;

import java.util.ArrayList;
import java.util.List;

/** {@code build [java|native|native-image|python|js|kotlin|swift|kernels [--all]]}. */
record BuildCommand(Workspace workspace) {
    int run(List<String> arguments) {
        boolean all = arguments.contains("--all");
        List<String> targets =
                arguments.stream().filter(each -> !each.equals("--all")).toList();
        if (all && !targets.equals(List.of("kernels"))) {
            throw new Failure("--all belongs to: build kernels --all", 2);
        }
        for (String target : targets.isEmpty() ? everything() : targets) {
            switch (target) {
                case "java" -> new JavaBuild(workspace).ensure();
                case "native" -> natives();
                case "native-image" -> new NativeImage(workspace).ensure();
                case "python" -> new PythonWheel(workspace).ensure();
                case "kotlin" -> new KotlinBuild(workspace).ensure();
                case "js" -> Progress.say("built " + new JsTarball(workspace).ensure());
                case "swift" -> new SwiftPackage(workspace).build();
                case "kernels" -> kernels(all);
                default ->
                    throw new Failure(
                            "build knows java, native, native-image, python, js, kotlin, swift and kernels, not "
                                    + target,
                            2);
            }
        }
        return 0;
    }

    private void natives() {
        new NativeBuild(workspace).ensure();
        NativeImage image = new NativeImage(workspace);
        if (image.command().isPresent()) {
            image.ensure();
        } else {
            Progress.say("left out the native image: " + NativeImage.MISSING);
        }
    }

    /** Nothing but JavaScript needs Node.js, and nothing but Swift its toolchain; many have neither. */
    private List<String> everything() {
        List<String> targets = new ArrayList<>(List.of("java", "native", "python"));
        if (new NodeEnvironment(workspace).missing().isEmpty()) {
            targets.add("js");
        }
        if (new SwiftToolchain(workspace).isHere()) {
            targets.add("swift");
        }
        return targets;
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
