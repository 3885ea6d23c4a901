package uzu.engine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import uzu.EngineConfig;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Backend;
import uzu.backend.cpu.AvailableMemory;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuKernels;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.generate.Instance;
import uzu.grammar.GrammarCompiler;
import uzu.model.LanguageModel;
import uzu.speculate.PassCostFile;
import uzu.speculate.PassCostStore;

/** A model with its weights in memory and its thread running, shared by everything that uses it. */
final class LoadedModel {
    private static final long MIB = 1L << 20;
    private static final long WORKING_BYTES = 64 * MIB;

    private final ModelFiles files;
    private final int contextLength;
    private final Instance instance;
    private final ModelDrafters drafters;
    private final GrammarCompiler grammars;
    private final long weightBytes;
    private final Runnable free;
    private final Consumer<LoadedModel> unused;
    private int users = 1;
    private boolean closed;

    /**
     * @param contextLength most tokens of a conversation
     * @param free frees what the instance ran on, after its end
     * @param unused called when the last user has released it
     */
    LoadedModel(
            ModelFiles files,
            int contextLength,
            Instance instance,
            ModelDrafters drafters,
            long weightBytes,
            Runnable free,
            Consumer<LoadedModel> unused) {
        this.files = files;
        this.contextLength = contextLength;
        this.instance = instance;
        this.drafters = drafters;
        this.grammars = new GrammarCompiler(files.tokenizer(), instance.endTokens());
        this.weightBytes = weightBytes;
        this.free = free;
        this.unused = unused;
    }

    /**
     * Loads a model, for one user.
     *
     * @param files what {@code path} says beside the weights
     * @param finder of models that may draft for it
     */
    static LoadedModel load(
            Path path,
            FilesReading files,
            EngineConfig config,
            KvCache cache,
            DraftModels.Finder finder,
            Consumer<LoadedModel> unused) {
        try (Checkpoint checkpoint = ModelFiles.open(path)) {
            return load(path, checkpoint, files, config, cache, finder, unused);
        }
    }

    static LoadedModel load(
            Path path,
            Checkpoint checkpoint,
            FilesReading reading,
            EngineConfig config,
            KvCache cache,
            DraftModels.Finder finder,
            Consumer<LoadedModel> unused) {
        try {
            checkFits(path, checkpoint.tensorBytes());
            Backend backend = CpuBackend.open(options(config).withCache(cache));
            try {
                LanguageModel model = model(checkpoint, backend, reading);
                ModelFiles files = reading.get();
                int[] ends = IntStream.concat(
                                Arrays.stream(model.endOfGeneration()),
                                Arrays.stream(files.tokenizer().endOfGeneration()))
                        .distinct()
                        .toArray();
                ModelDrafters drafters = new ModelDrafters(path, files.tokenizer());
                drafters.load(path, model, backend, finder);
                Instance instance = new Instance(
                        model.executable(),
                        files.tokenizer(),
                        model.vocabularySize(),
                        ends,
                        passCosts(path, checkpoint.tensorBytes(), config, cache));
                Runnable free = () -> {
                    model.close();
                    backend.close();
                };
                return new LoadedModel(
                        files,
                        model.contextLength(),
                        instance,
                        drafters,
                        model.executable().weightBytes(),
                        free,
                        unused);
            } catch (Throwable e) {
                backend.close();
                throw e;
            }
        } catch (OutOfMemoryError e) {
            throw new UzuException.OutOfMemory(
                    "the Java heap is too small to load " + path, Map.of("path", path.toString()), e);
        } catch (InternalError e) {
            // What Java makes of a page fault in a mapping whose file lost its end.
            throw new UzuException.ModelCorrupt(
                    path + " was changed while it was read", Map.of("path", path.toString()), e);
        }
    }

    /** Another model, processor, other kernels or threads have other costs. */
    private static PassCostStore passCosts(Path path, long tensorBytes, EngineConfig config, KvCache cache) {
        CpuKernels kernels = CpuBackend.kernels(options(config));
        return new PassCostFile(
                config.cachePath().resolve("pass-costs"),
                String.join(
                        " | ",
                        String.valueOf(path.getFileName()),
                        tensorBytes + " bytes",
                        "cache " + cache,
                        "precision " + config.precision(),
                        kernels.matrices(),
                        kernels.rows(),
                        kernels.threads() + " threads",
                        Processor.name()));
    }

    static CpuOptions options(EngineConfig config) {
        return CpuOptions.defaults().withThreads(config.threads()).withPrecision(config.precision());
    }

    private static LanguageModel model(Checkpoint checkpoint, Backend backend, FilesReading reading) {
        try {
            return LanguageModel.load(checkpoint, backend);
        } catch (UzuException e) {
            reading.get(); // of two faults the one in the vocabulary is told, however the threads ran
            throw e;
        }
    }

    /** Weights take the room of their tensors, and a little to work with. */
    static void checkFits(Path path, long tensorBytes) {
        long needed = tensorBytes + WORKING_BYTES;
        long available = AvailableMemory.bytes();
        if (needed > available) {
            throw new UzuException.OutOfMemory(
                    path + " needs " + needed / MIB + " MiB of memory, of which " + available / MIB + " MiB are free",
                    Map.of(
                            "path", path.toString(),
                            "needed", Long.toString(needed),
                            "available", Long.toString(available)));
        }
    }

    ModelFiles files() {
        return files;
    }

    Instance instance() {
        return instance;
    }

    ModelDrafters drafters() {
        return drafters;
    }

    GrammarCompiler grammars() {
        return grammars;
    }

    long weightBytes() {
        return weightBytes;
    }

    int contextLength() {
        return contextLength;
    }

    /** Whether it is still open, no failure having closed its instance, and then this user counts. */
    synchronized boolean acquire() {
        if (closed || users == 0 || instance.isClosed()) {
            return false;
        }
        users++;
        return true;
    }

    /** Closes it after its last user. */
    void release() {
        boolean last;
        synchronized (this) {
            last = --users == 0;
        }
        if (last) {
            unused.accept(this);
            close();
        }
    }

    /** Ends running replies and frees everything, whoever uses it. Idempotent. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        instance.close();
        drafters.close();
        free.run();
    }
}
