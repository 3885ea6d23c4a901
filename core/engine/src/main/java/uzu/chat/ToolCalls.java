package uzu.chat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import uzu.CancelToken;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ToolFunction;

/**
 * Answers the calls of a turn, all at the same time, each on a virtual thread of its own. Whatever goes wrong with a
 * call is its result.
 */
public final class ToolCalls {
    private final CancelToken cancelToken;
    private final List<CompletableFuture<String>> values = new ArrayList<>();

    private ToolCalls(CancelToken cancelToken) {
        this.cancelToken = cancelToken;
    }

    /**
     * Waits for the results, in the order of the calls; null when it was cancelled meanwhile, whatever a tool does
     * then: its thread is interrupted, and not waited for.
     *
     * @param tools has all tools called
     */
    public static @Nullable List<ToolCallResult> answer(List<ToolCall> calls, Toolbox tools, CancelToken cancelToken) {
        ToolCalls running = new ToolCalls(cancelToken);
        for (ToolCall call : calls) {
            ToolFunction function = tools.get(call.name());
            running.start(call, function);
        }
        return running.results(calls);
    }

    private void start(ToolCall call, @Nullable ToolFunction function) {
        CompletableFuture<String> value = new CompletableFuture<>();
        values.add(value);
        if (function == null) {
            value.complete(error("there is no tool " + call.name()));
            return;
        }
        Thread thread = Thread.ofVirtual().name("uzu-tool-" + call.name()).unstarted(() -> {
            try {
                value.complete(call(call, function));
            } catch (Throwable e) {
                value.complete(error(e));
            }
        });
        Duration timeout = function.timeout();
        if (timeout != null) {
            value.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
        // Whoever ends it otherwise than the tool, time or a cancel, ends the tool.
        value.whenComplete((result, failure) -> {
            if (failure != null) {
                thread.interrupt();
            }
        });
        thread.start();
        cancelToken.onCancel(() -> value.cancel(false));
    }

    private String call(ToolCall call, ToolFunction function) throws Exception {
        JsonNode arguments;
        try {
            arguments = JsonText.parse(call.arguments().isBlank() ? "{}" : call.arguments());
        } catch (JacksonException e) {
            return error("the arguments are no JSON: " + e.getOriginalMessage());
        }
        JsonNode schema = ToolSchemas.parameters(function.declaration());
        JsonNode coerced = new ArgumentCoercion(schema).coerce(arguments);
        String problem =
                coerced.isObject() ? new SchemaCheck(schema).problem(coerced) : "the arguments must be of type object";
        if (problem != null) {
            return error(problem);
        }
        String result = function.call(coerced.toString(), cancelToken);
        try {
            return JsonText.parse(result).isMissingNode() ? error("the tool's result is empty") : result;
        } catch (JacksonException e) {
            return error("the tool's result is no JSON: " + e.getOriginalMessage());
        }
    }

    private @Nullable List<ToolCallResult> results(List<ToolCall> calls) {
        List<ToolCallResult> results = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            ToolCall call = calls.get(i);
            String value = value(values.get(i));
            if (value == null || cancelToken.isCancelled()) {
                return null;
            }
            results.add(new ToolCallResult(call.identifier(), call.name(), value));
        }
        return results;
    }

    private @Nullable String value(CompletableFuture<String> value) {
        while (true) {
            try {
                return value.get();
            } catch (ExecutionException e) {
                return error(
                        e.getCause() instanceof TimeoutException
                                ? "the tool took too long"
                                : String.valueOf(e.getCause()));
            } catch (CancellationException e) {
                return null;
            } catch (InterruptedException e) {
                // The thread that waits is the loop's own: nobody else has it to interrupt it.
                cancelToken.cancel();
            }
        }
    }

    private static String error(Throwable failure) {
        String message = failure.getMessage();
        return error(message == null || message.isBlank() ? failure.getClass().getSimpleName() : message);
    }

    private static String error(String message) {
        return JsonNodeFactory.instance.objectNode().put("error", message).toString();
    }
}
