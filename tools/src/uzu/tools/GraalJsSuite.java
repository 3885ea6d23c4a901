package uzu.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * GraalJS: the JavaScript examples, those tests of bindings-js that are of the package rather than of Node.js, and the
 * Java tests of core/polyglot, of both languages.
 */
record GraalJsSuite(Workspace workspace) {
    static final String NAME = "graaljs";

    SuiteResult run() {
        PolyglotBuild polyglot = new PolyglotBuild(workspace);
        Optional<String> missing = new NodeEnvironment(workspace).missing();
        if (missing.isPresent()) {
            return SuiteResult.missing(NAME, missing.get());
        }
        try {
            polyglot.ensure();
        } catch (Failure failure) {
            return SuiteResult.missing(NAME, failure.getMessage());
        }
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("JavaScript examples on GraalJS");
        PolyglotExamples examples = PolyglotExamples.run(workspace, NAME, polyglot::js);
        Progress.say("JavaScript tests on GraalJS");
        Path tests = workspace.js().resolve("test/graaljs.mjs");
        SuiteResult result =
                examples.with(CountedChecks.run(NAME, polyglot.js(tests))).plus(typeScript(polyglot));
        Progress.say("Java tests of GraalPy and GraalJS");
        return result.plus(polyglot.test());
    }

    /** Programs of uzu 0.6 in TypeScript, which lose their types on the way. */
    private SuiteResult typeScript(PolyglotBuild polyglot) {
        Progress.say("a TypeScript program on GraalJS");
        Path program = workspace.js().resolve("test/programs/snippets.ts");
        Optional<String> said =
                polyglot.js(program).arguments(List.of(Models.DEFAULT)).outputWithErrorsShown();
        boolean passed = said.isPresent() && said.get().contains("Countries:  true");
        if (!passed) {
            System.out.println("FAILED snippets.ts: " + said.orElse("it ended with an error"));
        }
        return new SuiteResult(NAME, passed ? 1 : 0, passed ? 0 : 1, Map.of(), Optional.empty());
    }
}
