package uzu.chat.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import uzu.chat.jinja.Statement.MacroBody;
import uzu.chat.jinja.Statement.Parameter;

/** A macro with the variables around its definition; also the body of a call block, its {@code caller}. */
final class Macro implements Callable {
    private final MacroBody body;
    private final Scope scope;
    private final Executor executor;

    Macro(MacroBody body, Scope scope, Executor executor) {
        this.body = body;
        this.scope = scope;
        this.executor = executor;
    }

    String name() {
        return body.name();
    }

    @Override
    public Object call(Arguments arguments) {
        var inner = new Scope(scope);
        List<Object> positional = arguments.positional();
        var named = new LinkedHashMap<>(arguments.named());
        int count = body.parameters().size();
        for (int i = 0; i < count; i++) {
            Parameter parameter = body.parameters().get(i);
            Object given = i < positional.size() ? positional.get(i) : named.remove(parameter.name());
            inner.set(parameter.name(), given != null ? given : fallback(parameter, inner));
        }
        if (body.takesCaller()) {
            Object caller = named.remove("caller");
            inner.set("caller", caller == null ? Undefined.because("No caller defined") : caller);
        }
        if (body.takesNamedRest()) {
            var rest = new Dict();
            named.forEach(rest::put);
            inner.set("kwargs", rest);
        } else if (!named.isEmpty()) {
            throw new TemplateError("macro '" + name() + "' takes no keyword argument '"
                    + named.keySet().iterator().next() + "'");
        }
        if (body.takesRest()) {
            inner.set("varargs", new Tuple(positional.subList(Math.min(count, positional.size()), positional.size())));
        } else if (positional.size() > count) {
            throw new TemplateError("macro '" + name() + "' takes not more than " + count + " argument(s)");
        }
        return executor.rendered(body.body(), inner);
    }

    private Object fallback(Parameter parameter, Scope inner) {
        return parameter.fallback() == null
                ? Undefined.because("parameter '" + parameter.name() + "' was not provided")
                : executor.evaluate(parameter.fallback(), inner);
    }
}
