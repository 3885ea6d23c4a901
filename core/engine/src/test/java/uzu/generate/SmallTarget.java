package uzu.generate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import uzu.KvCache;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.model.BlockNetwork;
import uzu.model.FeatureNetwork;
import uzu.model.LanguageModel;
import uzu.speculate.BlockDrafter;
import uzu.speculate.DraftModel;
import uzu.speculate.Drafter;
import uzu.speculate.FeatureDrafter;

/** A small checkpoint on a backend, and the drafters that run on its weights, which are asked whatever passes cost. */
final class SmallTarget implements AutoCloseable {
    static final List<String> FAMILIES = List.of("llama", "llama3_rope", "qwen2", "qwen3", "gemma3");

    private static final Path RESOURCES = Path.of("src/test/resources");

    /** Of the family that its fixture was made for. */
    private static final long NETWORK_VOCABULARY = 0xfeedfeedfeedfeedL;

    final LanguageModel model;
    private final CpuBackend backend;
    private final List<Drafter> owned = new ArrayList<>();
    private final @Nullable Drafter block;
    private final @Nullable Drafter network;
    private final Drafter draftModel;

    SmallTarget(String family, int threads, KvCache cache, int maxRows) {
        backend = CpuBackend.open(
                CpuOptions.defaults().withThreads(threads).withCache(cache).withMaxRows(maxRows));
        model = load(family);
        block = hasBlock(family) && !isQuantised(cache) ? own(loadBlock()) : null;
        network = hasNetwork(family) && !isQuantised(cache) ? own(new FeatureDrafter(loadNetwork())) : null;
        LanguageModel small = load(fits(family, KvCache.Q8) ? "qwen3" : "llama");
        draftModel = own(new DraftModel(small.executable(), small.vocabularySize(), 256, small::close));
    }

    static boolean hasBlock(String family) {
        return family.equals("qwen3");
    }

    static boolean hasNetwork(String family) {
        return family.equals("llama");
    }

    /** Such a cache needs heads of 32 numbers at least, which the networks don't have. */
    static boolean isQuantised(KvCache cache) {
        return cache == KvCache.Q8 || cache == KvCache.Q4;
    }

    static boolean fits(String family, KvCache cache) {
        return !isQuantised(cache) || family.equals("qwen3") || family.equals("gemma3");
    }

    Drafter block() {
        if (block == null) {
            throw new IllegalStateException("no block drafter for this family");
        }
        return block;
    }

    Drafter network() {
        if (network == null) {
            throw new IllegalStateException("no feature network for this family");
        }
        return network;
    }

    Drafter draftModel() {
        return draftModel;
    }

    /** All three, as far as they are there. */
    List<Drafter> drafters() {
        List<Drafter> drafters = new ArrayList<>();
        if (block != null) {
            drafters.add(block);
        }
        if (network != null) {
            drafters.add(network);
        }
        drafters.add(draftModel);
        return drafters;
    }

    private LanguageModel load(String family) {
        try (HfFolder checkpoint =
                HfFolder.open(RESOURCES.resolve("checkpoints").resolve(family))) {
            return LanguageModel.load(checkpoint, backend);
        }
    }

    private BlockDrafter loadBlock() {
        try (HfFolder folder = HfFolder.open(RESOURCES.resolve("speculators/qwen3"))) {
            return new BlockDrafter(BlockNetwork.load(folder, model, backend), model.executable(), null);
        }
    }

    private FeatureNetwork loadNetwork() {
        try (Gguf file = Gguf.open(RESOURCES.resolve("network/network.gguf"))) {
            return FeatureNetwork.load(file, model, NETWORK_VOCABULARY, backend);
        }
    }

    private Drafter own(Drafter drafter) {
        owned.add(drafter);
        return new FreeDrafter(drafter, new AtomicInteger());
    }

    @Override
    public void close() {
        owned.forEach(Drafter::close);
        model.close();
        backend.close();
    }
}
