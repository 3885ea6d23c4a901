package uzu;

/** A tool whose declaration was given. */
record DeclaredTool(ToolDeclaration declaration, Handler handler) implements ToolFunction {
    @Override
    public String call(String arguments, CancelToken cancelToken) throws Exception {
        return handler.call(arguments, cancelToken);
    }
}
