package uzu.bridge;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import uzu.UzuException;

/** The functions of {@code uzu.h}, for every host: those in C through {@link CApi}, those in this JVM. */
final class Functions {
    static final int OK = 0;
    static final int TIMEOUT = 1;
    static final int END = 2;

    private Functions() {}

    /** @param name without {@code uzu_} */
    record Entry(String name, Body body) {}

    @FunctionalInterface
    interface Body {
        /** OK, TIMEOUT or END; all else is thrown. */
        int run(Call call);
    }

    @FunctionalInterface
    private interface Result {
        void giveTo(Call call);
    }

    /** In the order of {@code uzu_table} in host.h. */
    static List<Entry> of(Bridge bridge) {
        return List.of(
                result("handle_close", call -> bridge.handleClose(call.handle())),
                result("engine_create", call -> call.value(() -> bridge.engineCreate(call.optional(0)))),
                result("engine_info", call -> call.string(() -> bridge.engineInfo(call.handle()))),
                result("engine_events", call -> call.value(() -> bridge.engineEvents(call.handle()))),
                result(
                        "engine_models",
                        call -> call.string(() -> bridge.engineModels(call.handle(), call.optional(0)))),
                result("engine_vendors", call -> call.string(() -> bridge.engineVendors(call.handle()))),
                result("engine_families", call -> call.string(() -> bridge.engineFamilies(call.handle()))),
                result("engine_registries", call -> call.string(() -> bridge.engineRegistries(call.handle()))),
                result(
                        "engine_model",
                        call -> call.string(() -> bridge.engineModel(call.handle(), call.text(0, "identifier")))),
                result(
                        "engine_model_path",
                        call -> call.string(() -> bridge.engineModelPath(call.handle(), call.text(0, "model")))),
                result(
                        "engine_capabilities",
                        call -> call.string(() -> bridge.engineCapabilities(call.handle(), call.text(0, "model")))),
                result(
                        "engine_count_tokens",
                        call -> call.value(() ->
                                bridge.engineCountTokens(call.handle(), call.text(0, "model"), call.text(1, "text")))),
                result(
                        "engine_chat",
                        call -> call.value(
                                () -> bridge.engineChat(call.handle(), call.text(0, "model"), call.optional(1)))),
                result(
                        "engine_instance",
                        call -> call.value(
                                () -> bridge.engineInstance(call.handle(), call.text(0, "model"), call.optional(1)))),
                result("instance_memory_used", call -> call.value(() -> bridge.instanceMemoryUsed(call.handle()))),
                result("instance_chat", call -> call.value(() -> bridge.instanceChat(call.handle()))),
                result(
                        "engine_complete",
                        call -> call.value(() -> bridge.engineComplete(
                                call.handle(), call.text(0, "model"), call.text(1, "text"), call.optional(2)))),
                result(
                        "download_start",
                        call -> call.value(() -> bridge.downloadStart(call.handle(), call.text(0, "model")))),
                result(
                        "download_watch",
                        call -> call.value(() -> bridge.downloadWatch(call.handle(), call.text(0, "model")))),
                result(
                        "download_state",
                        call -> call.string(() -> bridge.downloadState(call.handle(), call.text(0, "model")))),
                result("download_states", call -> call.string(() -> bridge.downloadStates(call.handle()))),
                result("download_resume", call -> bridge.downloadResume(call.handle(), call.text(0, "model"))),
                result("download_pause", call -> bridge.downloadPause(call.handle(), call.text(0, "model"))),
                result("download_delete", call -> bridge.downloadDelete(call.handle(), call.text(0, "model"))),
                result(
                        "session_reply",
                        call -> call.value(
                                () -> bridge.sessionReply(call.handle(), call.text(0, "messages"), call.optional(1)))),
                result("session_messages", call -> call.string(() -> bridge.sessionMessages(call.handle()))),
                result("session_state", call -> call.string(() -> bridge.sessionState(call.handle()))),
                result("session_context_length", call -> call.value(() -> bridge.sessionContextLength(call.handle()))),
                result("session_reset", call -> bridge.sessionReset(call.handle())),
                result(
                        "session_set_messages",
                        call -> bridge.sessionSetMessages(call.handle(), call.text(0, "messages"))),
                result(
                        "session_supports_tool_calls",
                        call -> call.value(() -> bridge.sessionSupportsToolCalls(call.handle()))),
                result("session_add_tool", call -> bridge.sessionAddTool(call.handle(), call.text(0, "tool"))),
                result("session_fork", call -> call.value(() -> bridge.sessionFork(call.handle()))),
                result("session_save", call -> bridge.sessionSave(call.handle(), call.text(0, "path"))),
                result("session_restore", call -> bridge.sessionRestore(call.handle(), call.text(0, "path"))),
                poll("stream_next", call -> bridge.streamNext(call.handle(), call.number())),
                result("stream_cancel", call -> bridge.streamCancel(call.handle())),
                result("stream_tool_results", call -> bridge.streamToolResults(call.handle(), call.text(0, "results"))),
                result("queue_create", call -> call.value(bridge::queueCreate)),
                result("queue_add", call -> bridge.queueAdd(call.handle(), call.number())),
                poll("queue_next", call -> bridge.queueNext(call.handle(), call.number())),
                result("json_complete", call -> call.string(() -> bridge.jsonComplete(call.text(0, "text")))));
    }

    private static Entry result(String name, Result result) {
        return new Entry(name, call -> {
            result.giveTo(call);
            return OK;
        });
    }

    private static Entry poll(String name, Function<Call, Poll> look) {
        return new Entry(name, call -> {
            call.needResult();
            if (call.number() < -1) {
                throw new UzuException.InvalidArgument(
                        "timeout_ms can't be " + call.number() + "; -1 waits as long as it takes",
                        Map.of("field", "timeout_ms"));
            }
            return switch (look.apply(call)) {
                case Poll.Ready ready -> {
                    call.string(ready::json);
                    yield OK;
                }
                case Poll.Timeout timeout -> TIMEOUT;
                case Poll.End end -> END;
            };
        });
    }
}
