package uzu.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The figures of {@code bench model} as docs/benchmarks.md describes them. */
record ModelJson(Machine machine, Map<Integer, Double> readLimits, List<ModelFigures> models) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    String text() {
        return JSON.writeValueAsString(tree());
    }

    ObjectNode tree() {
        ObjectNode root = JSON.createObjectNode();
        root.set("machine", JSON.valueToTree(machine));
        root.set("read_bytes_per_second", JSON.valueToTree(readLimits));
        ArrayNode all = root.putArray("models");
        for (ModelFigures figures : models) {
            ObjectNode model = all.addObject();
            model.put("file", figures.file());
            model.put("kernels", figures.kernels());
            model.put("kv_cache", figures.cache());
            model.put("read_bytes", figures.readBytes());
            if (figures.start() != null) {
                model.set("start", JSON.valueToTree(figures.start()));
            }
            ArrayNode timings = model.putArray("timings");
            figures.timings().forEach(timing -> add(timings.addObject(), figures, timing));
        }
        return root;
    }

    private void add(ObjectNode node, ModelFigures figures, Timing timing) {
        node.put(
                "what",
                switch (timing.measure()) {
                    case Measure.Prefill prefill -> "prefill";
                    case Measure.Decode decode -> "decode";
                    case Measure.Rows rows -> "rows";
                });
        node.put("tokens", timing.measure().tokens());
        node.put("context", timing.measure().context());
        node.put("threads", timing.threads());
        node.set("seconds", JSON.valueToTree(timing.ours()));
        figures.cost(timing).ifPresent(cost -> node.set("single_rows", JSON.valueToTree(cost)));
        if (timing.hasPeer()) {
            node.set("peer_seconds", JSON.valueToTree(timing.theirs()));
            node.set("ratio", JSON.valueToTree(timing.ratio()));
            Optional<Double> target = new ModelReport(readLimits).targetRatio(figures, timing);
            target.ifPresent(ratio -> node.put("target_ratio", ratio));
        }
    }
}
