package uzu.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.format.Gguf;
import uzu.format.SpeculatorFolder;
import uzu.model.FeatureNetwork;
import uzu.model.LanguageModel;
import uzu.speculate.FeatureDrafter;
import uzu.tokenizer.Tokenizer;
import uzu.tokenizer.VocabularyFingerprint;

/**
 * The drafter network of a model: the one beside it, or else one that the engine ships for such models. Laid out when a
 * conversation first wants it.
 */
final class ModelNetwork implements AutoCloseable {
    /** In this resource a line has a fingerprint and the name of a resource with a network. */
    private static final String SHIPPED = "/uzu/speculate/networks.txt";

    private final List<SpeculatorFolder> folders;
    private final Tokenizer tokenizer;
    private final LanguageModel target;
    private final Backend backend;
    private @Nullable FeatureDrafter drafter;
    private boolean loaded;

    /** @param model a file or folder */
    ModelNetwork(Path model, Tokenizer tokenizer, LanguageModel target, Backend backend) {
        folders = SpeculatorFolder.of(model);
        this.tokenizer = tokenizer;
        this.target = target;
        this.backend = backend;
    }

    /**
     * Null when there is none.
     *
     * @throws UzuException.ModelCorrupt when the one beside the model isn't one, or another model's in
     *     a folder of its own
     */
    synchronized @Nullable FeatureDrafter drafter() {
        if (!loaded) {
            long vocabulary = VocabularyFingerprint.of(tokenizer);
            try (Gguf file = open(vocabulary)) {
                if (file != null) {
                    drafter = new FeatureDrafter(FeatureNetwork.load(file, target, vocabulary, backend));
                }
            }
            loaded = true;
        }
        return drafter;
    }

    private @Nullable Gguf open(long vocabulary) {
        String fingerprint = FeatureNetwork.fingerprint(vocabulary, target);
        for (SpeculatorFolder folder : folders) {
            Path file = folder.path().resolve("network.gguf");
            if (Files.exists(file) && !(folder.shared() && isAnothers(file, fingerprint))) {
                return Gguf.open(file);
            }
        }
        byte[] list = resource(SHIPPED);
        List<String> lines = list == null
                ? List.of()
                : new String(list, StandardCharsets.US_ASCII).lines().toList();
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words.length == 2 && words[0].equals(fingerprint)) {
                byte[] network = resource("/uzu/speculate/" + words[1]);
                return network == null ? null : Gguf.of(network, words[1]);
            }
        }
        return null;
    }

    private static boolean isAnothers(Path file, String fingerprint) {
        try (Gguf network = Gguf.open(file)) {
            return !FeatureNetwork.madeFor(network).equals(fingerprint);
        } catch (UzuException.ModelUnsupported e) {
            return true;
        }
    }

    private static byte @Nullable [] resource(String name) {
        try (InputStream in = ModelNetwork.class.getResourceAsStream(name)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (drafter != null) {
            drafter.close();
        }
    }
}
