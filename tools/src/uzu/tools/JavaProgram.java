package uzu.tools;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A single Java source file with a main method, compiled against the engine when it or the engine has changed. */
record JavaProgram(Workspace workspace, Path file) {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+)\\s*;");

    int run(List<String> arguments) {
        return prepared().arguments(arguments).run();
    }

    /** Built and ready; its arguments follow. */
    Subprocess prepared() {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        new NativeBuild(workspace).ensureKernels();
        Path classes = compile(java);
        return java.java(classes + File.pathSeparator + java.classPath()).arguments(List.of(mainClass()));
    }

    private Path compile(JavaBuild java) {
        String name = file.getFileName().toString().replace(".java", "") + "-"
                + Integer.toHexString(file.toString().hashCode());
        Path classes = workspace.build().resolve("programs").resolve(name);
        Stamp stamp = Stamp.of(workspace, "program-" + name, sources(), java.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(classes)) {
            return classes;
        }
        Workspace.delete(classes);
        Subprocess.of(
                        workspace.jdkProgram("javac"),
                        "-d",
                        classes,
                        "-cp",
                        java.classPath(),
                        "-sourcepath",
                        sourceRoot(),
                        file)
                .orFail("javac refuses " + file);
        stamp.write();
        return classes;
    }

    /** The file and its neighbours, which it may use without naming them. */
    private List<Path> sources() {
        try (var found = Files.list(file.getParent())) {
            return found.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String mainClass() {
        String simple = file.getFileName().toString().replace(".java", "");
        return packageName().isEmpty() ? simple : packageName() + "." + simple;
    }

    private Path sourceRoot() {
        Path root = file.getParent();
        for (String part :
                packageName().isEmpty() ? new String[0] : packageName().split("\\.")) {
            root = part.isEmpty() ? root : root.getParent();
        }
        return root;
    }

    private String packageName() {
        try {
            Matcher matcher = PACKAGE.matcher(Files.readString(file));
            return matcher.find() ? matcher.group(1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
