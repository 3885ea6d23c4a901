package uzu.tools;

/** bindings-python, ready to be imported from its sources: the jars and the library that it needs lie in src/uzu/native. */
record PythonPackage(Workspace workspace) {
    /** Makes everything that {@code import uzu} and an engine need. */
    void ensure() {
        new PythonEnvironment(workspace).ensure();
        new NativeFolder(workspace, "python", workspace.python().resolve("src/uzu/native")).ensure();
    }
}
