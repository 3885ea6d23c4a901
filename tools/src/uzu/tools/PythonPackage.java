package uzu.tools;

/** bindings-python, ready to be imported from its sources: jars and libraries staged in it, its environment made. */
record PythonPackage(Workspace workspace) {
    void ensure() {
        new PythonEnvironment(workspace).ensure();
        new JavaBuild(workspace).ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureKernels();
        natives.ensureLibrary();
    }
}
