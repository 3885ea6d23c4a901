package uzu.bridge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.UzuException;

/** The calls of one reply that the host language runs: each waits until the host answers it. */
final class HostCalls {
    private final Map<String, CompletableFuture<String>> waiting = new HashMap<>();
    private final List<ObjectNode> unread = new ArrayList<>();
    private Runnable whenCalled = () -> {};
    private long calls;

    /** Called whenever there is something to read, on the thread of a call. */
    synchronized void onCall(Runnable listener) {
        whenCalled = listener;
    }

    /** Waits for the host's answer to a call; an interrupt gives it up. */
    String call(String name, String arguments) throws InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        String identifier;
        Runnable listener;
        synchronized (this) {
            identifier = Long.toString(++calls);
            waiting.put(identifier, answer);
            unread.add(JsonNodeFactory.instance
                    .objectNode()
                    .put("identifier", identifier)
                    .put("name", name)
                    .put("arguments", arguments));
            listener = whenCalled;
        }
        listener.run();
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            throw Errors.of(failed);
        } finally {
            synchronized (this) {
                waiting.remove(identifier);
                unread.removeIf(call -> call.path("identifier").stringValue().equals(identifier));
            }
        }
    }

    synchronized boolean hasUnread() {
        return !unread.isEmpty();
    }

    /** {@code {"call_tools": […]}}, all that was called since the last time; null when nothing was. */
    synchronized @Nullable JsonNode takeUnread() {
        if (unread.isEmpty()) {
            return null;
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("call_tools").addAll(unread);
        unread.clear();
        return json;
    }

    /**
     * Takes the host's answers: {@code [{identifier, value} or {identifier, error}]}. All are read before the first
     * counts. One for a call that waits no more is late, and let go.
     */
    synchronized void answer(String json) {
        JsonNode array = Json.parse(json);
        if (!array.isArray()) {
            throw Fields.wrong("results", "an array of results", array);
        }
        List<Runnable> answers = new ArrayList<>();
        for (JsonNode result : array) {
            answers.add(answer(result));
        }
        answers.forEach(Runnable::run);
    }

    private Runnable answer(JsonNode result) {
        Fields fields = new Fields("result", result, "identifier", "value", "error");
        String identifier = fields.needText("identifier");
        if (!isIssued(identifier)) {
            throw new UzuException.InvalidArgument(
                    "This stream has made no call \"" + identifier + "\"",
                    Map.of("field", "result.identifier", "value", identifier));
        }
        String error = fields.text("error");
        if (error == null && !fields.has("value")) {
            throw new UzuException.InvalidArgument("result needs a value or an error", Map.of("field", "result.value"));
        }
        CompletableFuture<String> answer = waiting.getOrDefault(identifier, new CompletableFuture<>());
        if (error != null) {
            return () -> answer.completeExceptionally(new UzuException.ToolFailed(error));
        }
        String value = result.get("value").toString();
        return () -> answer.complete(value);
    }

    private boolean isIssued(String identifier) {
        return identifier.matches("[1-9]\\d{0,17}") && Long.parseLong(identifier) <= calls;
    }
}
