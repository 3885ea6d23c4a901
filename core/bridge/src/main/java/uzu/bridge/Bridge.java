package uzu.bridge;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;
import uzu.ChatReplyConfig;
import uzu.ChatSessionStream;
import uzu.CompletionStream;
import uzu.DownloaderStream;
import uzu.DownloaderStreamUpdate;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.Model;
import uzu.PartialJson;
import uzu.UzuException;
import uzu.bridge.Resource.OpenEngine;
import uzu.bridge.Resource.OpenInstance;
import uzu.bridge.Resource.OpenQueue;
import uzu.bridge.Resource.OpenSession;
import uzu.bridge.Resource.OpenStream;

/**
 * The engine for other languages: handles, JSON and {@link UzuException}s only. {@code uzu.h} says what each method
 * does; docs/c-abi.md has the shapes.
 */
public final class Bridge {
    private static final long WORKER_STACK_BYTES = 16 << 20;

    private final Handles handles = new Handles();
    private final HostTools tools = new HostTools();
    private final ExecutorService workers;

    public Bridge() {
        this(() -> {});
    }

    /** @param begin run first by each thread that is made while a caller waits, and is to have nothing of the caller's */
    Bridge(Runnable begin) {
        AtomicLong number = new AtomicLong();
        workers = Executors.newCachedThreadPool(task -> {
            Runnable work = () -> {
                begin.run();
                task.run();
            };
            Thread thread = new Thread(null, work, "uzu-call-" + number.incrementAndGet(), WORKER_STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        });
    }

    public long engineCreate(@Nullable String config) {
        EngineConfig parsed = ConfigJson.engine(config);
        return handles.add(new OpenEngine(work(() -> Engine.create(parsed))), 0);
    }

    public String engineInfo(long engine) {
        Engine open = engine(engine);
        return work(() -> ModelJson.info(open.info()).toString());
    }

    public long engineEvents(long engine) {
        EngineEvents events = engine(engine).events();
        return keep(new OpenStream(new JsonStream<>(events, null, Bridge::event), null), engine);
    }

    public String engineModels(long engine, @Nullable String query) {
        Engine open = engine(engine);
        Fields fields =
                new Fields("query", query == null ? Json.parse("{}") : Json.parse(query), "kind", "vendor", "family");
        String kind = Objects.requireNonNullElse(fields.text("kind"), "all");
        String vendor = fields.text("vendor");
        String family = fields.text("family");
        return work(() -> {
            List<Model> models = switch (kind) {
                case "all" -> open.models();
                case "local" -> open.modelsLocal();
                case "remote" -> open.modelsRemote();
                case "downloadable" -> open.modelsDownloadable();
                case "chat" -> open.modelsForChat();
                default ->
                    throw new UzuException.InvalidArgument(
                            "query.kind must be all, local, remote, downloadable or chat, not " + kind,
                            Map.of("field", "query.kind"));
            };
            return ModelJson.list(
                            models.stream()
                                    .filter(model -> isOf(model, vendor, family))
                                    .toList(),
                            ModelJson::model)
                    .toString();
        });
    }

    public String engineVendors(long engine) {
        Engine open = engine(engine);
        return work(() -> ModelJson.list(open.modelVendors(), ModelJson::vendor).toString());
    }

    public String engineFamilies(long engine) {
        Engine open = engine(engine);
        return work(
                () -> ModelJson.list(open.modelFamilies(), ModelJson::family).toString());
    }

    public String engineRegistries(long engine) {
        Engine open = engine(engine);
        return work(() ->
                ModelJson.list(open.modelRegistries(), ModelJson::registry).toString());
    }

    public String engineModel(long engine, String identifier) {
        Engine open = engine(engine);
        return work(() -> {
            Model model = open.model(identifier);
            return model == null ? "null" : ModelJson.model(model).toString();
        });
    }

    public String engineModelPath(long engine, String model) {
        return withModel(engine, model, (open, found) -> {
            Path path = open.modelPath(found);
            return path == null ? "null" : StringNode.valueOf(path.toString()).toString();
        });
    }

    public String engineCapabilities(long engine, String model) {
        return withModel(
                engine,
                model,
                (open, found) ->
                        ModelJson.capabilities(open.capabilities(found)).toString());
    }

    public long engineCountTokens(long engine, String model, String text) {
        return withModel(engine, model, (open, found) -> (long) open.countTokens(found, text));
    }

    public long engineChat(long engine, String model, @Nullable String config) {
        return withModel(
                engine,
                model,
                (open, found) -> keep(new OpenSession(open.chat(found, ConfigJson.chat(config))), engine));
    }

    public long engineInstance(long engine, String model, @Nullable String config) {
        return withModel(
                engine,
                model,
                (open, found) ->
                        keep(new OpenInstance(open, open.chatInstance(found, ConfigJson.chat(config))), engine));
    }

    public long instanceMemoryUsed(long instance) {
        return handles.get(instance, OpenInstance.class).instance().memoryUsedBytes();
    }

    public long instanceChat(long instance) {
        OpenInstance open = handles.get(instance, OpenInstance.class);
        return work(() -> keep(new OpenSession(open.engine().chatWithInstance(open.instance())), instance));
    }

    public long engineComplete(long engine, String model, String text, @Nullable String config) {
        ChatReplyConfig parsed = ConfigJson.reply(config);
        return withModel(engine, model, (open, found) -> {
            CompletionStream stream = open.completeWithStream(found, text, parsed);
            return keep(
                    new OpenStream(new JsonStream<>(stream, stream.cancelToken(), ReplyJson.ofCompletion()), null),
                    engine);
        });
    }

    public long downloadStart(long engine, String model) {
        return withModel(
                engine,
                model,
                (open, found) -> keep(
                        new OpenStream(new JsonStream<>(open.download(found), null, Bridge::update), null), engine));
    }

    public long downloadWatch(long engine, String model) {
        return withModel(engine, model, (open, found) -> {
            DownloaderStream updates = open.downloader(found).progress();
            return keep(new OpenStream(new JsonStream<>(updates, null, Bridge::update), null), engine);
        });
    }

    public String downloadState(long engine, String model) {
        return withModel(
                engine,
                model,
                (open, found) -> ModelJson.state(open.downloadState(found)).toString());
    }

    public String downloadStates(long engine) {
        Engine open = engine(engine);
        return work(() -> ModelJson.states(open.downloadStates()).toString());
    }

    public void downloadResume(long engine, String model) {
        withModel(engine, model, (open, found) -> {
            open.downloader(found).resume();
            return true;
        });
    }

    public void downloadPause(long engine, String model) {
        withModel(engine, model, (open, found) -> {
            open.downloader(found).pause();
            return true;
        });
    }

    public void downloadDelete(long engine, String model) {
        withModel(engine, model, (open, found) -> {
            open.downloader(found).delete();
            return true;
        });
    }

    public long sessionReply(long session, String messages, @Nullable String config) {
        OpenSession open = handles.get(session, OpenSession.class);
        return work(() -> {
            ChatSessionStream stream =
                    open.session().replyWithStream(MessageJson.read(messages), ConfigJson.reply(config));
            HostCalls calls = tools.of(stream.cancelToken());
            ReplyStream chunks = new ReplyStream(stream, calls, ReplyJson.ofChat());
            return keep(
                    new OpenStream(new JsonStream<>(chunks, stream.cancelToken(), Function.identity()), calls),
                    session);
        });
    }

    /** 1 or 0. */
    public long sessionSupportsToolCalls(long session) {
        return handles.get(session, OpenSession.class).session().supportsToolCalls() ? 1 : 0;
    }

    public void sessionAddTool(long session, String declaration) {
        handles.get(session, OpenSession.class)
                .session()
                .addTool(tools.tool(ToolJson.declaration(Json.parse(declaration))));
    }

    public void sessionSetMessages(long session, String messages) {
        handles.get(session, OpenSession.class).session().setMessages(MessageJson.read(messages));
    }

    public String sessionMessages(long session) {
        return MessageJson.write(
                        handles.get(session, OpenSession.class).session().messages())
                .toString();
    }

    public String sessionState(long session) {
        JsonNode state = StringNode.valueOf(
                Fields.name(handles.get(session, OpenSession.class).session().state()));
        return state.toString();
    }

    public long sessionContextLength(long session) {
        return handles.get(session, OpenSession.class).session().contextLength();
    }

    public void sessionReset(long session) {
        handles.get(session, OpenSession.class).session().reset();
    }

    /** A session of the same owner. */
    public long sessionFork(long session) {
        OpenSession open = handles.get(session, OpenSession.class);
        return work(() -> keep(new OpenSession(open.session().fork()), handles.owner(session)));
    }

    public void sessionSave(long session, String path) {
        OpenSession open = handles.get(session, OpenSession.class);
        work(() -> {
            open.session().save(ConfigJson.path("path", path));
            return true;
        });
    }

    public void sessionRestore(long session, String path) {
        OpenSession open = handles.get(session, OpenSession.class);
        work(() -> {
            open.session().restore(ConfigJson.path("path", path));
            return true;
        });
    }

    /** @param timeoutMillis 0: doesn't wait; −1: as long as it takes */
    public Poll streamNext(long stream, long timeoutMillis) {
        return handles.get(stream, OpenStream.class).stream().next(timeoutMillis);
    }

    public void streamCancel(long stream) {
        handles.get(stream, OpenStream.class).stream().cancel();
    }

    public void streamToolResults(long stream, String results) {
        HostCalls calls = handles.get(stream, OpenStream.class).calls();
        if (calls == null) {
            throw new UzuException.InvalidArgument(
                    "This stream calls no tools", Map.of("handle", Long.toUnsignedString(stream)));
        }
        calls.answer(results);
    }

    public long queueCreate() {
        return handles.add(new OpenQueue(new StreamQueue()), 0);
    }

    public void queueAdd(long queue, long stream) {
        handles.get(queue, OpenQueue.class).queue().add(stream, handles.get(stream, OpenStream.class).stream());
    }

    /** @param timeoutMillis 0: doesn't wait; −1: as long as it takes */
    public Poll queueNext(long queue, long timeoutMillis) {
        return handles.get(queue, OpenQueue.class).queue().next(timeoutMillis);
    }

    public String jsonComplete(String text) {
        return PartialJson.complete(text);
    }

    /** Closes the handle and all made from it, waiting until nothing of it runs; nothing happens the second time. */
    public void handleClose(long handle) {
        List<Resource> removed = handles.remove(handle);
        if (!removed.isEmpty()) {
            work(() -> {
                removed.forEach(Resource::close);
                return true;
            });
        }
    }

    @FunctionalInterface
    private interface OnModel<T> {
        T apply(Engine engine, Model model) throws Exception;
    }

    private <T> T withModel(long engine, String identifier, OnModel<T> action) {
        Engine open = engine(engine);
        return work(() -> {
            Model model = open.model(identifier);
            if (model == null) {
                throw new UzuException.ModelNotFound(
                        "No model is known as \"" + identifier + "\"", Map.of("model", identifier));
            }
            return action.apply(open, model);
        });
    }

    private Engine engine(long handle) {
        return handles.get(handle, OpenEngine.class).engine();
    }

    /** A handle for a new resource, which is closed when its owner was meanwhile. */
    private long keep(Resource resource, long owner) {
        try {
            return handles.add(resource, owner);
        } catch (UzuException closed) {
            resource.close();
            throw closed;
        }
    }

    private static String event(EngineEvent event) {
        return ModelJson.event(event).toString();
    }

    private static String update(DownloaderStreamUpdate update) {
        return ModelJson.update(update).toString();
    }

    private static boolean isOf(Model model, @Nullable String vendor, @Nullable String family) {
        if (vendor == null && family == null) {
            return true;
        }
        return model.family() != null
                && (family == null || model.family().identifier().equals(family))
                && (vendor == null || model.family().vendor().identifier().equals(vendor));
    }

    /** Runs the task on a thread of ours: the caller's stack may be tiny, and only waits. */
    private <T> T work(Callable<T> task) {
        Future<T> result = workers.submit(task);
        try {
            return result.get();
        } catch (ExecutionException failure) {
            throw Errors.of(failure);
        } catch (InterruptedException interrupt) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("The thread that made the call was interrupted");
        }
    }
}
