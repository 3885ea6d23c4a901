package uzu.engine;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.format.HfFolder;
import uzu.format.SpeculatorFolder;
import uzu.model.BlockNetwork;
import uzu.model.LanguageModel;
import uzu.speculate.BlockDrafter;
import uzu.speculate.Drafter;

/**
 * The block drafter in a model's {@code speculator} folder, as lalamo exports it. One that this engine can't run doesn't
 * keep the model from running; who asks for it by name is told.
 */
final class ModelBlock implements AutoCloseable {
    private final @Nullable BlockDrafter drafter;
    private final @Nullable UzuException refusal;

    private ModelBlock(@Nullable BlockDrafter drafter, @Nullable UzuException refusal) {
        this.drafter = drafter;
        this.refusal = refusal;
    }

    static ModelBlock none() {
        return new ModelBlock(null, null);
    }

    /**
     * @param path of the model
     * @param tables re-rank what a block says
     * @throws UzuException.ModelCorrupt when the folder contradicts itself, or was made for another model and
     *     isn't one that several share
     */
    static ModelBlock of(Path path, LanguageModel model, Backend backend, ModelTables tables) {
        for (SpeculatorFolder speculator : SpeculatorFolder.of(path)) {
            if (HfFolder.isOne(speculator.path())) {
                ModelBlock block = of(speculator, model, backend, tables);
                if (block != null) {
                    return block;
                }
            }
        }
        return none();
    }

    /** Null when it is another model's. */
    private static @Nullable ModelBlock of(
            SpeculatorFolder speculator, LanguageModel model, Backend backend, ModelTables tables) {
        try (HfFolder folder = HfFolder.open(speculator.path())) {
            if (speculator.shared() && !BlockNetwork.fits(folder, model)) {
                return null;
            }
            BlockNetwork network = BlockNetwork.load(folder, model, backend);
            return new ModelBlock(new BlockDrafter(network, model.executable(), tables.drafter()), null);
        } catch (UzuException.ModelUnsupported | UzuException.InvalidArgument refused) {
            // The latter where the cache's type doesn't fit the block's heads.
            return new ModelBlock(null, refused);
        }
    }

    /**
     * Null when the folder has none.
     *
     * @throws UzuException.ModelUnsupported when it has one that can't be run, naming the field or tensor
     */
    @Nullable BlockDrafter drafter() {
        if (refusal != null) {
            throw new UzuException.ModelUnsupported(String.valueOf(refusal.getMessage()), refusal.details(), refusal);
        }
        return drafter;
    }

    void addTo(List<Drafter> drafters) {
        if (drafter != null) {
            drafters.add(drafter);
        }
    }

    @Override
    public void close() {
        if (drafter != null) {
            drafter.close();
        }
    }
}
