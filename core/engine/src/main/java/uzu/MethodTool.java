package uzu;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** A method marked as a tool. */
record MethodTool(ToolDeclaration declaration, @Nullable Object owner, Method method) implements ToolFunction {
    /** @param owner an object, or a class for its static methods */
    static List<ToolFunction> of(Object owner) {
        boolean isStatic = owner instanceof Class<?>;
        Class<?> type = owner instanceof Class<?> given ? given : owner.getClass();
        List<ToolFunction> tools = new ArrayList<>();
        // The order that reflection has them in is no order.
        Arrays.stream(type.getMethods())
                .filter(method -> method.isAnnotationPresent(UzuTool.class) && !method.isBridge())
                .filter(method -> !isStatic || Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName))
                .forEach(method -> tools.add(of(isStatic ? null : owner, method)));
        if (tools.isEmpty()) {
            throw new UzuException.InvalidArgument(
                    type.getName() + " has no public method marked with @UzuTool", Map.of("type", type.getName()));
        }
        return tools;
    }

    private static MethodTool of(@Nullable Object owner, Method method) {
        UzuTool marked = method.getAnnotation(UzuTool.class);
        String name = marked.name().isEmpty() ? method.getName() : marked.name();
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() != CancelToken.class) {
                parameters.put(name(parameter, name), parameter);
            }
        }
        method.trySetAccessible();
        String schema = JavaSchemas.ofParameters(parameters).toString();
        return new MethodTool(new ToolDeclaration(name, marked.description(), schema), owner, method);
    }

    private static String name(Parameter parameter, String tool) {
        UzuParameter described = parameter.getAnnotation(UzuParameter.class);
        if (described != null && !described.name().isEmpty()) {
            return described.name();
        }
        if (!parameter.isNamePresent()) {
            throw new UzuException.InvalidArgument(
                    "the names of the parameters of tool " + tool
                            + " aren't known: compile with -parameters, or name them with @UzuParameter",
                    Map.of("tool", tool));
        }
        return parameter.getName();
    }

    @Override
    public String call(String arguments, CancelToken cancelToken) throws Exception {
        JsonNode given = JavaValues.MAPPER.readTree(arguments);
        Parameter[] parameters = method.getParameters();
        @Nullable Object[] values = new @Nullable Object[parameters.length];
        for (int i = 0; i < values.length; i++) {
            if (parameters[i].getType() == CancelToken.class) {
                values[i] = cancelToken;
                continue;
            }
            JavaType type = JavaValues.type(parameters[i].getParameterizedType());
            JsonNode value = given.get(name(parameters[i], declaration.name()));
            values[i] = JavaValues.read(value == null ? NullNode.instance : value, type);
        }
        try {
            return JavaValues.write(method.invoke(owner, values));
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }
}
