package uzu.engine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;
import uzu.speculate.DraftModel;
import uzu.tokenizer.Tokenizer;

/** The models that draft for one, by identifier: loaded beside it when a conversation first wants them, freed with it. */
final class DraftModels implements AutoCloseable {
    /** Finds models of this machine. */
    interface Finder {
        /** @throws UzuException.ModelNotFound when there is none, or {@link UzuException.InvalidState} not yet */
        Found find(String identifier);
    }

    record Found(Path path, ModelFiles files) {}

    private final Finder finder;
    private final Tokenizer tokenizer;
    private final int vocabulary;
    private final Backend backend;
    private final Map<String, DraftModel> loaded = new HashMap<>();

    /**
     * @param tokenizer the target's
     * @param vocabulary columns of the target's logits
     * @param backend the target's
     */
    DraftModels(Finder finder, Tokenizer tokenizer, int vocabulary, Backend backend) {
        this.finder = finder;
        this.tokenizer = tokenizer;
        this.vocabulary = vocabulary;
        this.backend = backend;
    }

    /**
     * @throws UzuException.InvalidArgument when its vocabulary isn't the target's
     * @throws UzuException as loading a model throws
     */
    synchronized DraftModel of(String identifier) {
        DraftModel known = loaded.get(identifier);
        if (known == null) {
            known = load(identifier);
            loaded.put(identifier, known);
        }
        return known;
    }

    private DraftModel load(String identifier) {
        Found found = finder.find(identifier);
        DraftModel.checkVocabulary(identifier, found.files().tokenizer(), tokenizer);
        try (Checkpoint checkpoint = ModelFiles.open(found.path())) {
            LoadedModel.checkFits(found.path(), checkpoint.tensorBytes());
            LanguageModel model = LanguageModel.load(checkpoint, backend);
            int known = Math.min(
                    Math.min(tokenizer.size(), vocabulary),
                    found.files().tokenizer().size());
            return new DraftModel(model.executable(), model.vocabularySize(), known, model::close);
        } catch (InternalError e) {
            // What Java makes of a page fault in a mapping whose file lost its end.
            throw new UzuException.ModelCorrupt(
                    found.path() + " was changed while it was read",
                    Map.of("path", found.path().toString()),
                    e);
        }
    }

    synchronized long weightBytes() {
        return loaded.values().stream().mapToLong(DraftModel::weightBytes).sum();
    }

    @Override
    public synchronized void close() {
        loaded.values().forEach(DraftModel::close);
        loaded.clear();
    }
}
