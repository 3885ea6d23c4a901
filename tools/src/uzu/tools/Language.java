package uzu.tools;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A language that programs are written in, as {@code example} and {@code run} take it.
 *
 * @param examples the folder below examples/ with a folder for each example
 * @param program an example's name → its file in the folder of that name
 */
record Language(String name, String examples, UnaryOperator<String> program, Runner runner) {
    @FunctionalInterface
    interface Runner {
        /** Prepares what the file needs, runs it, and gives its exit status. */
        int run(Workspace workspace, Path file, List<String> arguments);
    }

    static final List<Language> ALL = List.of(
            new Language("java", "java", name -> className(name) + ".java", Language::runJava),
            new Language("kotlin", "kotlin", name -> className(name) + ".kt", Language::runKotlin),
            new Language("python", "python", name -> "main.py", Language::runPython),
            new Language("js", "js", name -> "main.mjs", Language::runJs),
            new Language("swift", "swift", name -> "main.swift", Language::runSwift),
            new Language("c", "c", name -> "main.c", Language::runC),
            new Language("graalpy", "python", name -> "main.py", Language::runGraalPy),
            new Language("graaljs", "js", name -> "main.mjs", Language::runGraalJs));

    static Language of(String name) {
        return ALL.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new Failure("the languages are " + names(", ") + ", not " + name, 2));
    }

    static String names(String separator) {
        return ALL.stream().map(Language::name).collect(Collectors.joining(separator));
    }

    Path folder(Workspace workspace) {
        return workspace.root().resolve("examples").resolve(examples);
    }

    Path example(Workspace workspace, String name) {
        return folder(workspace).resolve(name).resolve(program.apply(name));
    }

    int run(Workspace workspace, Path file, List<String> arguments) {
        return runner.run(workspace, file, arguments);
    }

    private static int runJava(Workspace workspace, Path file, List<String> arguments) {
        return new JavaProgram(workspace, file).run(arguments);
    }

    private static int runKotlin(Workspace workspace, Path file, List<String> arguments) {
        return new KotlinProgram(workspace, file)
                .prepared()
                .arguments(arguments)
                .run();
    }

    private static int runC(Workspace workspace, Path file, List<String> arguments) {
        return new CProgram(workspace, file).prepared().arguments(arguments).run();
    }

    private static int runPython(Workspace workspace, Path file, List<String> arguments) {
        new PythonPackage(workspace).ensure();
        return new PythonEnvironment(workspace)
                .python(file)
                .arguments(arguments)
                .run();
    }

    private static int runJs(Workspace workspace, Path file, List<String> arguments) {
        new JsPackage(workspace).ensure();
        return new NodeEnvironment(workspace)
                .node("--import", workspace.tools().resolve("js/register.mjs"), file)
                .arguments(arguments)
                .run();
    }

    private static int runGraalPy(Workspace workspace, Path file, List<String> arguments) {
        return new PolyglotBuild(workspace).python(file).arguments(arguments).run();
    }

    private static int runGraalJs(Workspace workspace, Path file, List<String> arguments) {
        return new PolyglotBuild(workspace).js(file).arguments(arguments).run();
    }

    private static int runSwift(Workspace workspace, Path file, List<String> arguments) {
        return new SwiftProgram(workspace, file).run(arguments);
    }

    /** quick-start → QuickStart. */
    private static String className(String name) {
        return Arrays.stream(name.split("-"))
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }
}
