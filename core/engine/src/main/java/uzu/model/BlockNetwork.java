package uzu.model;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.Value;
import uzu.format.HfFolder;

/**
 * A block drafter (DFlash) ready to run beside its target, whose embedding and readout it uses. Two programs over the
 * same sequences: {@link #context} takes the target's features of accepted tokens and leaves their keys and values;
 * {@link #block} takes [last token, mask, mask, …] and tells the marginal distributions of the tokens after the last
 * one, all in one pass.
 */
public final class BlockNetwork implements AutoCloseable {
    private static final String ROOT = "speculator.draft_model.";

    private final BlockSettings settings;
    private final Executable context;
    private final Executable block;
    private final @Nullable PathNetwork paths;

    private BlockNetwork(BlockSettings settings, Executable context, Executable block, @Nullable PathNetwork paths) {
        this.paths = paths;
        this.settings = settings;
        this.context = context;
        this.block = block;
    }

    /**
     * @param folder an exported speculator, which may be closed afterwards
     * @param backend the target's
     * @throws UzuException.ModelUnsupported for a setting or tensor that isn't known
     * @throws UzuException.ModelCorrupt for one that contradicts the others, or a speculator of another target
     */
    public static BlockNetwork load(HfFolder folder, LanguageModel target, Backend backend) {
        BlockSettings settings = BlockSettings.read(folder.config());
        Decoder decoder = target.decoder();
        requireTarget("model_dim", settings.hidden(), decoder.embedding().columns());
        requireTarget("vocab_size", settings.vocabulary(), decoder.vocabulary());
        requireTarget(
                "num_target_layers", settings.targetDepth(), decoder.blocks().size());
        ExportedWeights weights = new ExportedWeights(folder, backend);
        Linear projection = weights.linear(
                ROOT + "context_projection",
                settings.hidden(),
                settings.hidden() * settings.targetLayers().length,
                false);
        Norm contextNorm = weights.norm(ROOT + "context_norm", settings.hidden(), settings.contextNorm());
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < settings.layers().size(); i++) {
            blocks.add(layer(weights, settings, settings.layers().get(i), ROOT + "layers." + i + "."));
        }
        Norm outputNorm = weights.norm(ROOT + "output_norm", settings.hidden(), settings.outputNorm());
        checkCopies(weights, settings);
        PathNetwork paths = settings.paths() == null ? null : PathNetwork.load(settings, weights, decoder, backend);
        weights.finish();
        Executable context = backend.prepare(contextProgram(projection, contextNorm, blocks));
        Executable block = backend.prepare(blockProgram(decoder, blocks, outputNorm), context);
        return new BlockNetwork(settings, context, block, paths);
    }

    /** Whether a speculator was made for targets of this width, vocabulary and depth. */
    public static boolean fits(HfFolder folder, LanguageModel target) {
        BlockSettings settings = BlockSettings.read(folder.config());
        Decoder decoder = target.decoder();
        return settings.hidden() == decoder.embedding().columns()
                && settings.vocabulary() == decoder.vocabulary()
                && settings.targetDepth() == decoder.blocks().size();
    }

    private static void requireTarget(String field, int found, int wanted) {
        if (found != wanted) {
            throw new UzuException.ModelCorrupt(
                    "the speculator was made for another model: its %s is %d, the model's %d"
                            .formatted(field, found, wanted),
                    Map.of("field", field));
        }
    }

    private static Block layer(
            ExportedWeights weights, BlockSettings settings, BlockSettings.Layer layer, String path) {
        BlockSettings.Heads heads = layer.heads();
        int size = heads.headSize();
        int hidden = settings.hidden();
        int feedForward = settings.feedForward();
        String mixer = path + "mixer.";
        int[] stacked = {heads.heads() * size, heads.kvHeads() * size, heads.kvHeads() * size};
        List<Linear> in = weights.linears(mixer + "qkvg_projection", stacked, hidden, heads.inBiases());
        ExportedNorm query = heads.queryNorm();
        ExportedNorm key = heads.keyNorm();
        Attention attention = new Attention(
                in.get(0),
                in.get(1),
                in.get(2),
                weights.linear(mixer + "out_projection", hidden, heads.heads() * size, heads.outBiases()),
                query == null ? null : weights.norm(mixer + "query_norm", size, query),
                key == null ? null : weights.norm(mixer + "key_norm", size, key),
                heads.heads(),
                heads.kvHeads(),
                size,
                heads.scale(),
                heads.window(),
                heads.causal(),
                heads.rope());
        // The up rows come before the gate's.
        int[] upAndGate = {feedForward, feedForward};
        List<Linear> up = weights.linears(path + "mlp.up_projection", upAndGate, hidden, layer.upBiases());
        Linear down = weights.linear(path + "mlp.down_projection", hidden, feedForward, layer.downBiases());
        ExportedNorm afterAttention = layer.afterAttention();
        ExportedNorm afterMlp = layer.afterMlp();
        return new Block(
                weights.norm(path + "pre_mixer_norm", hidden, layer.beforeAttention()),
                attention,
                afterAttention == null ? null : weights.norm(path + "post_mixer_norm", hidden, afterAttention),
                weights.norm(path + "pre_mlp_norm", hidden, layer.beforeMlp()),
                new GatedMlp(up.get(1), up.get(0), down, layer.activation()),
                afterMlp == null ? null : weights.norm(path + "post_mlp_norm", hidden, afterMlp));
    }

    /**
     * {@code state_kv_projection} has the key and value rows of all layers once more, so that other programs fill all
     * caches by one product; a file in which they differ contradicts itself.
     */
    private static void checkCopies(ExportedWeights weights, BlockSettings settings) {
        String name = ROOT + "state_kv_projection";
        int hidden = settings.hidden();
        int rows = settings.layers().stream()
                .mapToInt(l -> 2 * l.heads().kvHeads() * l.heads().headSize())
                .sum();
        int at = 0;
        for (int i = 0; i < settings.layers().size(); i++) {
            BlockSettings.Heads heads = settings.layers().get(i).heads();
            int queries = heads.heads() * heads.headSize();
            int count = 2 * heads.kvHeads() * heads.headSize();
            MemorySegment copy = weights.stored(name, rows, hidden, at, count);
            MemorySegment own = weights.stored(
                    ROOT + "layers." + i + ".mixer.qkvg_projection", queries + count, hidden, queries, count);
            if (copy.mismatch(own) >= 0) {
                throw new UzuException.ModelCorrupt(
                        name + " isn't what the keys and values of layer " + i + " are", Map.of("tensor", name));
            }
            at += count;
        }
    }

    private static Program contextProgram(Linear projection, Norm norm, List<Block> blocks) {
        Recorder recorder = new Recorder();
        Value features = recorder.value("features", projection.weight().columns());
        Value hidden = recorder.value("hidden", projection.weight().rows());
        recorder.add(new Op.Input(features));
        recorder.add(new Op.MatMul(features, List.of(projection.into(hidden))));
        recorder.add(norm.of(hidden, hidden));
        List<Op.Projection> projections = new ArrayList<>();
        List<Value> keys = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            Attention attention = blocks.get(i).attention();
            int width = attention.kvHeads() * attention.headSize();
            keys.add(recorder.value("key " + i, width));
            values.add(recorder.value("value " + i, width));
            projections.add(attention.key().into(keys.get(i)));
            projections.add(attention.value().into(values.get(i)));
        }
        recorder.add(new Op.MatMul(hidden, projections));
        for (int i = 0; i < blocks.size(); i++) {
            Attention attention = blocks.get(i).attention();
            Norm keyNorm = attention.keyNorm();
            if (keyNorm != null) {
                recorder.add(keyNorm.of(keys.get(i), keys.get(i)));
            }
            recorder.add(new Op.Rotate(keys.get(i), attention.headSize(), attention.rope()));
            recorder.add(new Op.Store(i, keys.get(i), values.get(i)));
        }
        return new Program(recorder.values(), layers(blocks), recorder.takeOps(), hidden, List.of(), hidden);
    }

    private static Program blockProgram(Decoder target, List<Block> blocks, Norm outputNorm) {
        Decoder drafter = new Decoder(
                target.contextLength(),
                target.embedding(),
                target.embeddingScale(),
                blocks,
                outputNorm,
                target.head(),
                target.logitSoftCap());
        return drafter.program();
    }

    static List<Program.Layer> layers(List<Block> blocks) {
        return blocks.stream()
                .map(Block::attention)
                .map(a -> new Program.Layer(a.kvHeads(), a.headSize(), a.window()))
                .toList();
    }

    /** Its rows have the features of a token each, in the order of {@link #taps}; their logits can't be wanted. */
    public Executable context() {
        return context;
    }

    /** Its rows are a chain of {@link #blockSize}; logits of row d tell the d-th token after row 0's. */
    public Executable block() {
        return block;
    }

    /** Rows of a block, the last token's included: as many as it was made for, or as go into a pass. */
    public int blockSize() {
        return Math.min(settings.blockSize(), block.maxRows());
    }

    /** Columns of the logits. */
    public int vocabulary() {
        return settings.vocabulary();
    }

    public int maskToken() {
        return settings.maskToken();
    }

    /** The target's taps whose values, one after the other, are a row's features. */
    public List<String> taps() {
        return Arrays.stream(settings.targetLayers())
                .mapToObj(i -> "layer." + i)
                .toList();
    }

    /** The tap at the target's last layer. */
    public String lastTap() {
        return "layer." + (settings.targetDepth() - 1);
    }

    /** The block's output after its norm, of the rows whose logits are wanted. */
    public Features hidden() {
        return block.features(List.of("final_norm"));
    }

    /** The network that scores paths below a block, if the folder has one; closed with this. */
    public @Nullable PathNetwork paths() {
        return paths;
    }

    public long weightBytes() {
        return context.weightBytes();
    }

    @Override
    public void close() {
        if (paths != null) {
            paths.close();
        }
        block.close();
        context.close();
    }
}
