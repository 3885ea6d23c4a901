package uzu.bridge;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.DownloadPhase;
import uzu.DownloadState;
import uzu.DownloaderStreamUpdate;
import uzu.EngineEvent;
import uzu.EngineInfo;
import uzu.Model;
import uzu.ModelCapabilities;
import uzu.ModelFamily;
import uzu.ModelRegistry;
import uzu.ModelVendor;

/** Models and their downloads. */
final class ModelJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ModelJson() {}

    static <T> ArrayNode list(List<T> things, Function<T, ? extends JsonNode> encode) {
        ArrayNode array = NODES.arrayNode();
        things.forEach(thing -> array.add(encode.apply(thing)));
        return array;
    }

    static ObjectNode model(Model model) {
        ObjectNode json = NODES.objectNode();
        json.put("identifier", model.identifier());
        json.put("name", model.name());
        json.set("registry", registry(model.registry()));
        ArrayNode backends = json.putArray("backends");
        model.backends().forEach(backends::add);
        json.set("family", model.family() == null ? NODES.nullNode() : family(model.family()));
        if (model.properties() == null) {
            json.putNull("properties");
        } else {
            json.putObject("properties")
                    .put("size", model.properties().size())
                    .put("version", model.properties().version());
        }
        if (model.quantization() == null) {
            json.putNull("quantization");
        } else {
            json.putObject("quantization")
                    .put("method", model.quantization().method())
                    .put("bits_per_weight", model.quantization().bitsPerWeight());
        }
        ArrayNode specializations = json.putArray("specializations");
        model.specializations().forEach(one -> specializations.add(Fields.name(one)));
        json.put("accessibility", Fields.name(model.accessibility()));
        json.put("is_downloadable", model.isDownloadable());
        return json;
    }

    static ObjectNode vendor(ModelVendor vendor) {
        return NODES.objectNode().put("identifier", vendor.identifier()).put("name", vendor.name());
    }

    static ObjectNode family(ModelFamily family) {
        ObjectNode json = NODES.objectNode();
        json.put("identifier", family.identifier()).put("name", family.name());
        json.set("vendor", vendor(family.vendor()));
        return json;
    }

    static ObjectNode registry(ModelRegistry registry) {
        return NODES.objectNode().put("identifier", registry.identifier()).put("name", registry.name());
    }

    static ObjectNode info(EngineInfo info) {
        return NODES.objectNode()
                .put("matrix_kernels", info.matrixKernels())
                .put("row_kernels", info.rowKernels())
                .put(
                        "kernel_library",
                        info.kernelLibrary() == null
                                ? null
                                : info.kernelLibrary().toString())
                .put("threads", info.threads())
                .put("weight_bytes", info.weightBytes())
                .put("working_bytes", info.workingBytes());
    }

    static ObjectNode event(EngineEvent event) {
        ObjectNode json = NODES.objectNode();
        switch (event) {
            case EngineEvent.Download download ->
                json.put("type", "download").put("model", download.model()).set("state", state(download.state()));
            case EngineEvent.ModelLoaded loaded ->
                json.put("type", "model_loaded")
                        .put("model", loaded.model())
                        .put("path", loaded.path().toString())
                        .put("weight_bytes", loaded.weightBytes());
            case EngineEvent.ModelUnloaded unloaded ->
                json.put("type", "model_unloaded").put("model", unloaded.model());
        }
        return json;
    }

    static ObjectNode capabilities(ModelCapabilities capabilities) {
        return NODES.objectNode()
                .put("chat", capabilities.chat())
                .put("reasoning", capabilities.reasoning())
                .put("tools", Fields.name(capabilities.tools()))
                .put("context_length", capabilities.contextLength());
    }

    static JsonNode state(@Nullable DownloadState state) {
        if (state == null) {
            return NODES.nullNode();
        }
        ObjectNode json = NODES.objectNode();
        json.put("bytes_total", state.totalBytes());
        json.put("bytes_downloaded", state.downloadedBytes());
        json.put("progress", state.progress());
        json.put(
                "phase",
                switch (state.phase()) {
                    case DownloadPhase.NotDownloaded none -> "not_downloaded";
                    case DownloadPhase.Downloading running -> "downloading";
                    case DownloadPhase.Paused paused -> "paused";
                    case DownloadPhase.Downloaded done -> "downloaded";
                    case DownloadPhase.Locked locked -> "locked";
                    case DownloadPhase.Error error -> "error";
                });
        json.put("message", state.phase() instanceof DownloadPhase.Error error ? error.message() : null);
        return json;
    }

    static ObjectNode states(Map<String, DownloadState> states) {
        ObjectNode json = NODES.objectNode();
        states.forEach((identifier, state) -> json.set(identifier, state(state)));
        return json;
    }

    static ObjectNode update(DownloaderStreamUpdate update) {
        return NODES.objectNode()
                .put("bytes_total", update.bytesTotal())
                .put("bytes_downloaded", update.bytesDownloaded())
                .put("progress", update.progress());
    }
}
