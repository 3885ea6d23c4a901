package uzu;

import java.time.Duration;
import java.util.Map;

/** A tool with a time limit. */
record TimedTool(ToolFunction tool, Duration timeout) implements ToolFunction {
    TimedTool {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new UzuException.InvalidArgument(
                    "the timeout of tool " + tool.declaration().name() + " must be positive, not " + timeout,
                    Map.of("field", "timeout"));
        }
    }

    @Override
    public ToolDeclaration declaration() {
        return tool.declaration();
    }

    @Override
    public String call(String arguments, CancelToken cancelToken) throws Exception {
        return tool.call(arguments, cancelToken);
    }
}
