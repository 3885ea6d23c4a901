package uzu.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Op;
import uzu.backend.Rope;
import uzu.backend.Value;

/**
 * Grouped-query attention: query head h reads key/value head h / (heads / kvHeads).
 *
 * @param queryNorm norms of each head before the rotation, or null
 * @param window 0: the whole prefix
 * @param causal whether a row sees only its ancestors; else the chain it is in
 */
record Attention(
        Linear query,
        Linear key,
        Linear value,
        Linear out,
        @Nullable Norm queryNorm,
        @Nullable Norm keyNorm,
        int heads,
        int kvHeads,
        int headSize,
        float scale,
        int window,
        boolean causal,
        Rope rope) {

    Attention(
            Linear query,
            Linear key,
            Linear value,
            Linear out,
            @Nullable Norm queryNorm,
            @Nullable Norm keyNorm,
            int heads,
            int kvHeads,
            int headSize,
            float scale,
            int window,
            Rope rope) {
        this(query, key, value, out, queryNorm, keyNorm, heads, kvHeads, headSize, scale, window, true, rope);
    }

    /** Keeps the row's keys and values, nothing else. Without norms of keys. */
    void recordKeys(Recorder recorder, int layer, Value in) {
        Value k = recorder.value("key", kvHeads * headSize);
        Value v = recorder.value("value", kvHeads * headSize);
        recorder.add(new Op.MatMul(in, List.of(key.into(k), value.into(v))));
        recorder.add(new Op.Rotate(k, headSize, rope));
        recorder.add(new Op.Store(layer, k, v));
    }

    Attention with(Rope other) {
        return new Attention(
                query, key, value, out, queryNorm, keyNorm, heads, kvHeads, headSize, scale, window, causal, other);
    }

    /** Leaves the attended values, before the output projection, in the recorder's {@code attended}. */
    Value record(Recorder recorder, int layer, Value in) {
        Value q = recorder.value("query", heads * headSize);
        Value k = recorder.value("key", kvHeads * headSize);
        Value v = recorder.value("value", kvHeads * headSize);
        Value attended = recorder.value("attended", heads * headSize);
        String name = "mod.layers." + layer + ".self_attn.";
        recorder.add(new Op.MatMul(in, List.of(query.into(q), key.into(k), value.into(v))));
        recorder.tap(name + "q_proj", q);
        recorder.tap(name + "k_proj", k);
        recorder.tap(name + "v_proj", v);
        if (queryNorm != null && keyNorm != null) {
            recorder.add(queryNorm.of(q, q));
            recorder.add(keyNorm.of(k, k));
            recorder.tap(name + "q_norm", q);
            recorder.tap(name + "k_norm", k);
        }
        recorder.add(new Op.Rotate(q, headSize, rope));
        recorder.add(new Op.Rotate(k, headSize, rope));
        recorder.add(new Op.Store(layer, k, v));
        recorder.add(new Op.Attend(q, layer, heads, scale, window, 0f, causal, attended));
        return attended;
    }
}
