package uzu;

import java.util.function.Function;
import tools.jackson.databind.JavaType;

/** A tool whose arguments are a Java type. */
record TypedTool<T>(ToolDeclaration declaration, JavaType type, Function<? super T, ?> handler)
        implements ToolFunction {
    static <T> TypedTool<T> of(String name, String description, Class<T> arguments, Function<? super T, ?> handler) {
        JavaType type = JavaValues.type(arguments);
        String parameters = JavaSchemas.of(type).toString();
        return new TypedTool<>(new ToolDeclaration(name, description, parameters), type, handler);
    }

    @Override
    public String call(String arguments, CancelToken cancelToken) {
        T value = JavaValues.read(arguments, type);
        if (value == null) {
            throw new UzuException.InvalidArgument("the arguments are null");
        }
        return JavaValues.write(handler.apply(value));
    }
}
