package uzu.tools;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A single Kotlin source file with a main function, compiled when it or the package has changed. */
record KotlinProgram(Workspace workspace, Path file) {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+([\\w.]+)");

    /** Built and ready; its arguments follow. */
    Subprocess prepared() {
        KotlinBuild kotlin = new KotlinBuild(workspace);
        kotlin.ensure();
        Path classes = compile(kotlin);
        return new JavaBuild(workspace)
                .java(classes + File.pathSeparator + kotlin.classPath())
                .arguments(List.of(mainClass()));
    }

    private Path compile(KotlinBuild kotlin) {
        String name = name() + "-" + Integer.toHexString(file.toString().hashCode());
        Path classes = workspace.build().resolve("programs").resolve(name);
        Stamp stamp = Stamp.of(workspace, "program-" + name, List.of(file), kotlin.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(classes)) {
            return classes;
        }
        Workspace.delete(classes);
        kotlin.compiler()
                .arguments(List.of("-jvm-target", "25", "-cp", kotlin.classPath(), "-d", classes, file))
                .orFail("the Kotlin compiler refuses " + file);
        stamp.write();
        return classes;
    }

    /** What Kotlin calls the class of a file's functions. */
    private String mainClass() {
        try {
            Matcher matcher = PACKAGE.matcher(Files.readString(file));
            return (matcher.find() ? matcher.group(1) + "." : "") + name() + "Kt";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String name() {
        String name = file.getFileName().toString().replaceFirst("\\.kt$", "");
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
