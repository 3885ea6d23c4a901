package uzu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import uzu.UzuException;
import uzu.backend.Activation;
import uzu.backend.Backend;
import uzu.backend.Executable;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Rope;
import uzu.backend.Value;

/**
 * A small network that scores what may follow a path below a block (Weaver). {@link #prefix} takes {@link #depth} + 1
 * rows: the target's output after its last norm at the last committed token, then the block's rows from the first mask
 * on. {@link #node} takes a token of the draft, whose row's parent is its parent's row, and leaves a query: a candidate's
 * score is the block's logit plus query · the readout's row of it ({@link #readout}).
 */
public final class PathNetwork implements AutoCloseable {
    private static final String ROOT = "speculator.weaver.";

    private final PathSettings settings;
    private final Executable prefix;
    private final Executable node;
    private final Executable readout;
    private final Executable lastNorm;

    private PathNetwork(
            PathSettings settings, Executable prefix, Executable node, Executable readout, Executable lastNorm) {
        this.settings = settings;
        this.prefix = prefix;
        this.node = node;
        this.readout = readout;
        this.lastNorm = lastNorm;
    }

    static PathNetwork load(BlockSettings block, ExportedWeights weights, Decoder target, Backend backend) {
        PathSettings settings = block.paths();
        if (settings == null) {
            throw new UzuException.Internal("there is no such network");
        }
        int readout = target.head().weight().columns();
        require("target_model_dim", settings.target() == block.hidden() && settings.target() == readout);
        require(
                "target_embedding_dim",
                settings.embedding() == target.embedding().columns());
        require("max_depth", settings.depth() < block.blockSize());
        Linear state = after(weights, settings, "hidden_state_norm", "hidden_state_projection", settings.target());
        Linear token = after(weights, settings, "embedding_norm", "embedding_projection", settings.embedding());
        int[] out = {settings.target()};
        Linear query = weights.linearsAfter(
                        ROOT + "output_norm", ROOT + "query_projection", out, settings.width(), false)
                .getFirst();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < settings.layers(); i++) {
            blocks.add(block(weights, settings, ROOT + "blocks." + i + "."));
        }
        Norm stateNorm = weights.norm(ROOT + "hidden_state_norm", settings.target(), settings.norm());
        Norm tokenNorm = weights.norm(ROOT + "embedding_norm", settings.embedding(), settings.norm());
        Norm outputNorm = weights.norm(ROOT + "output_norm", settings.width(), settings.norm());
        Executable prefix = backend.prepare(prefixProgram(stateNorm, state, blocks));
        Program nodes = nodeProgram(settings, target, tokenNorm, token, blocks, outputNorm, query);
        return new PathNetwork(
                settings,
                prefix,
                backend.prepare(nodes, prefix),
                backend.prepare(readoutProgram(target)),
                backend.prepare(lastNormProgram(target)));
    }

    private static void require(String field, boolean fits) {
        if (!fits) {
            throw new UzuException.ModelCorrupt(
                    "the speculator's weaver_config was made for another model: " + field, Map.of("field", field));
        }
    }

    private static Linear after(
            ExportedWeights weights, PathSettings settings, String norm, String projection, int columns) {
        int[] out = {settings.width()};
        return weights.linearsAfter(ROOT + norm, ROOT + projection, out, columns, true)
                .getFirst();
    }

    private static Block block(ExportedWeights weights, PathSettings settings, String path) {
        int width = settings.width();
        int headSize = width / settings.heads();
        String attentionNorm = path + "pre_attention_norm";
        String mlpNorm = path + "pre_mlp_norm";
        int[] three = {width, width, width};
        List<Linear> in = weights.linearsAfter(attentionNorm, path + "qkv_projection", three, width, false);
        Attention attention = new Attention(
                in.get(0),
                in.get(1),
                in.get(2),
                weights.linear(path + "out_projection", width, width, false),
                null,
                null,
                settings.heads(),
                settings.heads(),
                headSize,
                (float) (1 / Math.sqrt(headSize)),
                0,
                settings.rope());
        // The up rows come before the gate's.
        int[] upAndGate = {settings.feedForward(), settings.feedForward()};
        List<Linear> up = weights.linearsAfter(mlpNorm, path + "mlp.up_projection", upAndGate, width, true);
        Linear down = weights.linear(path + "mlp.down_projection", width, settings.feedForward(), true);
        return new Block(
                weights.norm(attentionNorm, width, settings.norm()),
                attention,
                null,
                weights.norm(mlpNorm, width, settings.norm()),
                new GatedMlp(up.get(1), up.get(0), down, Activation.SILU),
                null);
    }

    private static Program prefixProgram(Norm norm, Linear projection, List<Block> blocks) {
        Recorder recorder = new Recorder();
        Value state = recorder.value("state", projection.weight().columns());
        Value hidden = recorder.value("hidden", projection.weight().rows());
        recorder.add(new Op.Input(state));
        recorder.add(norm.of(state, state));
        recorder.add(new Op.MatMul(state, List.of(projection.into(hidden))));
        for (int i = 0; i < blocks.size(); i++) {
            blocks.get(i).record(recorder, i, hidden);
        }
        List<Program.Layer> layers = BlockNetwork.layers(blocks);
        return new Program(recorder.values(), layers, recorder.takeOps(), hidden, List.of(), hidden);
    }

    private static Program nodeProgram(
            PathSettings settings,
            Decoder target,
            Norm tokenNorm,
            Linear token,
            List<Block> blocks,
            Norm outputNorm,
            Linear query) {
        Recorder recorder = new Recorder();
        Value embedded = recorder.value("embedded", settings.embedding());
        Value hidden = recorder.value("hidden", settings.width());
        recorder.add(new Op.Embed(target.embedding(), 1, embedded));
        recorder.add(tokenNorm.of(embedded, embedded));
        recorder.add(new Op.MatMul(embedded, List.of(token.into(hidden))));
        // A node of depth d follows depth + 1 rows of the prefix, but turns as position d + 1.
        Rope plain = settings.rope();
        Rope shifted = new Rope(plain.frequencies(), plain.magnitude(), -settings.depth());
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            block.with(block.attention().with(shifted)).record(recorder, i, hidden);
        }
        List<Op> body = recorder.takeOps();
        Value normed = recorder.value("normed", settings.width());
        Value asked = recorder.value("asked", settings.target());
        recorder.add(outputNorm.of(hidden, normed));
        recorder.add(new Op.MatMul(normed, List.of(query.into(asked))));
        return new Program(recorder.values(), BlockNetwork.layers(blocks), body, hidden, recorder.takeOps(), asked);
    }

    private static Program readoutProgram(Decoder target) {
        Recorder recorder = new Recorder();
        Value row = recorder.value("row", target.head().weight().columns());
        recorder.add(new Op.Embed(target.head().weight(), 1, row));
        return new Program(recorder.values(), List.of(), recorder.takeOps(), row, List.of(), row);
    }

    private static Program lastNormProgram(Decoder target) {
        Recorder recorder = new Recorder();
        Value state = recorder.value("state", target.embedding().columns());
        recorder.add(new Op.Input(state));
        recorder.add(target.finalNorm().of(state, state));
        return new Program(recorder.values(), List.of(), recorder.takeOps(), state, List.of(), state);
    }

    /** How deep it scores; the prefix has a row more. */
    public int depth() {
        return settings.depth();
    }

    /** Columns of states, queries and rows of the readout. */
    public int width() {
        return settings.target();
    }

    /** Its rows are the whole prefix of a draft, committed at once; no results. */
    public Executable prefix() {
        return prefix;
    }

    /** Its rows are nodes of a draft; the "logits" of one are its query. */
    public Executable node() {
        return node;
    }

    /** Its rows are tokens; the "logits" of one are the readout's row. */
    public Executable readout() {
        return readout;
    }

    /** Its row has the output of the target's last layer; its "logits" are that after the last norm. */
    public Executable lastNorm() {
        return lastNorm;
    }

    @Override
    public void close() {
        lastNorm.close();
        readout.close();
        node.close();
        prefix.close();
    }
}
