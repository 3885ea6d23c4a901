package uzu.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Op;
import uzu.backend.Value;

/**
 * One decoder layer: h += afterAttention(attention(beforeAttention(h))); h += afterMlp(mlp(beforeMlp(h))). The norms
 * after are null in most families.
 */
record Block(
        Norm beforeAttention,
        Attention attention,
        @Nullable Norm afterAttention,
        Norm beforeMlp,
        GatedMlp mlp,
        @Nullable Norm afterMlp) {

    Block with(Attention other) {
        return new Block(beforeAttention, other, afterAttention, beforeMlp, mlp, afterMlp);
    }

    void record(Recorder recorder, int layer, Value hidden) {
        Value normed = recorder.value("normed", hidden.width());
        recorder.add(beforeAttention.of(hidden, normed));
        recorder.tap("mod.layers." + layer + ".input_layernorm", normed);
        Value attended = attention.record(recorder, layer, normed);
        addTo(recorder, hidden, attended, attention.out(), afterAttention);
        recorder.add(beforeMlp.of(hidden, normed));
        Value gated = mlp.record(recorder, layer, normed);
        addTo(recorder, hidden, gated, mlp.down(), afterMlp);
        recorder.tap("layer." + layer, hidden);
    }

    private static void addTo(Recorder recorder, Value hidden, Value in, Linear projection, @Nullable Norm norm) {
        if (norm == null) {
            recorder.add(new Op.MatMul(in, List.of(projection.addedTo(hidden))));
        } else {
            Value projected = recorder.value("projected", hidden.width());
            recorder.add(new Op.MatMul(in, List.of(projection.into(projected))));
            recorder.add(norm.of(projected, projected));
            recorder.add(new Op.Add(projected, hidden));
        }
    }
}
