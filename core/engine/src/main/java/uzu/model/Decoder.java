package uzu.model;

import java.util.ArrayList;
import java.util.List;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Value;
import uzu.backend.Weight;

/**
 * A decoder-only transformer, its weights resident: what a family makes of a checkpoint.
 *
 * @param embedding [vocabulary, hidden], its rows scaled by {@code embeddingScale}
 * @param head [vocabulary, hidden]; the embedding itself when tied
 * @param logitSoftCap 0: none
 */
record Decoder(
        int contextLength,
        Weight embedding,
        float embeddingScale,
        List<Block> blocks,
        Norm finalNorm,
        Linear head,
        float logitSoftCap) {

    int vocabulary() {
        return head.weight().rows();
    }

    /** Taps carry the names of the reference records: embed, layer.i, final_norm, logits, mod.…. */
    Program program() {
        Recorder recorder = new Recorder();
        Value hidden = recorder.value("hidden", embedding.columns());
        recorder.add(new Op.Embed(embedding, embeddingScale, hidden));
        recorder.tap("embed", hidden);
        for (int i = 0; i < blocks.size(); i++) {
            blocks.get(i).record(recorder, i, hidden);
        }
        List<Op> body = recorder.takeOps();

        Value normed = recorder.value("normed", hidden.width());
        Value logits = recorder.value("logits", vocabulary());
        recorder.add(finalNorm.of(hidden, normed));
        recorder.tap("final_norm", normed);
        recorder.add(new Op.MatMul(normed, List.of(head.into(logits))));
        if (logitSoftCap > 0) {
            recorder.add(new Op.SoftCap(logits, logitSoftCap));
        }
        recorder.tap("logits", logits);
        List<Program.Layer> layers = new ArrayList<>();
        for (Block block : blocks) {
            Attention a = block.attention();
            layers.add(new Program.Layer(a.kvHeads(), a.headSize(), a.window()));
        }
        return new Program(recorder.values(), layers, body, hidden, recorder.takeOps(), logits);
    }
}
