package uzu.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.SpeculatorFolder;
import uzu.speculate.NgramTables;
import uzu.speculate.Tables;
import uzu.tokenizer.Tokenizer;
import uzu.tokenizer.VocabularyFingerprint;

/**
 * The n-gram tables of a model: those beside it, or else those that the engine ships for its vocabulary. The shipped
 * ones are read on a thread of their own once a reply wants them, which doesn't wait for them.
 */
final class ModelTables {
    /** In this resource a line has a vocabulary's fingerprint and the name of a resource with tables. */
    private static final String SHIPPED = "/uzu/speculate/tables.txt";

    private final FutureTask<@Nullable NgramTables> reading;
    private final Tables drafter = new Tables(this::known);
    private boolean started;

    private ModelTables(FutureTask<@Nullable NgramTables> reading, boolean started) {
        this.reading = reading;
        this.started = started;
    }

    /**
     * @param model a file or folder
     * @throws UzuException.ModelCorrupt when the tables beside it are not what they should be, or another vocabulary's in
     *     a folder of its own
     */
    static ModelTables of(Path model, Tokenizer tokenizer) {
        NgramTables beside = beside(model, tokenizer);
        if (beside == null) {
            return new ModelTables(new FutureTask<>(() -> shipped(tokenizer)), false);
        }
        FutureTask<@Nullable NgramTables> read = new FutureTask<>(() -> beside);
        read.run();
        return new ModelTables(read, true);
    }

    private static @Nullable NgramTables beside(Path model, Tokenizer tokenizer) {
        for (SpeculatorFolder folder : SpeculatorFolder.of(model)) {
            Path file = folder.path().resolve("tables.bin");
            if (!Files.exists(file)) {
                continue;
            }
            NgramTables tables = NgramTables.read(file);
            if (tables.fingerprint() == VocabularyFingerprint.of(tokenizer)
                    && tables.vocabulary() <= tokenizer.size()) {
                return tables;
            }
            if (!folder.shared()) {
                throw new UzuException.ModelCorrupt(
                        file + " was made for another vocabulary than the model's",
                        Map.of("path", file.toString(), "field", "fingerprint"));
            }
        }
        return null;
    }

    /** The drafter, which proposes nothing until the tables are there, nor when there are none. */
    Tables drafter() {
        start();
        return drafter;
    }

    /** Whether there are any; waits until that is known. */
    boolean exist() {
        start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reading.get() != null;
                } catch (InterruptedException e) {
                    interrupted = true; // the caller hears of it when it next waits
                } catch (ExecutionException e) {
                    throw new UzuException.Internal("the tables that the engine ships can't be read", Map.of(), e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void start() {
        if (!started) {
            started = true;
            Thread.ofPlatform().daemon().name("uzu-tables").start(reading);
        }
    }

    private @Nullable NgramTables known() {
        return reading.state() == FutureTask.State.SUCCESS ? reading.resultNow() : null;
    }

    private static @Nullable NgramTables shipped(Tokenizer tokenizer) {
        String fingerprint = Long.toHexString(VocabularyFingerprint.of(tokenizer));
        for (String line : lines()) {
            String[] words = line.split(" ");
            if (words.length == 2 && words[0].equals(fingerprint)) {
                NgramTables tables = NgramTables.of(bytes("/uzu/speculate/" + words[1]), words[1]);
                return tables.vocabulary() <= tokenizer.size() ? tables : null;
            }
        }
        return null;
    }

    private static List<String> lines() {
        return new String(bytes(SHIPPED), StandardCharsets.US_ASCII).lines().toList();
    }

    private static byte[] bytes(String resource) {
        try (InputStream in = ModelTables.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new UzuException.Internal("the engine has no resource " + resource, Map.of("path", resource));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
