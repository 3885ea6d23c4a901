package uzu.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uzu.Model;
import uzu.ModelAccessibility;
import uzu.ModelFamily;
import uzu.ModelProperties;
import uzu.ModelQuantization;
import uzu.ModelRegistry;
import uzu.ModelSpecialization;
import uzu.ModelVendor;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.format.Metadata;
import uzu.format.SpeculatorFolder;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** Models that lie on this machine as files: described by what their headers say. */
final class LocalModels {
    static final ModelRegistry REGISTRY = new ModelRegistry("local", "Local files");

    private LocalModels() {}

    /**
     * The model at {@code path}: a GGUF file, a folder as the Hugging Face hub has them, or a folder with one GGUF
     * file; null when there is none.
     *
     * @throws UzuException when there is something, but it can't be read
     */
    static @Nullable Model find(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        if (Files.isRegularFile(absolute)) {
            return gguf(absolute);
        }
        if (!Files.isDirectory(absolute)) {
            return null; // listing a pipe would wait for its writer
        }
        if (HfFolder.isOne(absolute)) {
            return folder(absolute);
        }
        List<Path> files = files(absolute, ".gguf");
        return files.size() == 1 ? gguf(files.getFirst()) : null;
    }

    /** The models in {@code folder}, by name; what can't be read isn't one. */
    static List<Model> list(Path folder) {
        List<Model> models = new ArrayList<>();
        for (Path path : files(folder, "")) {
            try {
                boolean maybe = Files.isDirectory(path)
                        ? !SpeculatorFolder.isOne(path)
                        : path.toString().endsWith(".gguf");
                Model model = maybe ? find(path) : null;
                if (model != null) {
                    models.add(model);
                }
            } catch (UzuException e) {
                // Asking for this very path tells what is wrong with it.
            }
        }
        return models;
    }

    private static Model gguf(Path path) {
        try (Gguf file = Gguf.open(path)) {
            Metadata metadata = file.metadata();
            String name = metadata.stringOr("general.name", null);
            String family = metadata.stringOr("general.basename", null);
            String vendor = metadata.stringOr("general.organization", null);
            return describe(
                    path,
                    name == null ? path.getFileName().toString() : name,
                    family == null || vendor == null ? null : family(family, vendor),
                    file,
                    metadata.has("tokenizer.chat_template"));
        }
    }

    private static Model folder(Path path) {
        try (HfFolder folder = HfFolder.open(path)) {
            return describe(path, path.getFileName().toString(), null, folder, folder.chatTemplate() != null);
        }
    }

    private static Model describe(
            Path path, String name, @Nullable ModelFamily family, Checkpoint checkpoint, boolean chat) {
        Map<TensorType, Long> values = new EnumMap<>(TensorType.class);
        long parameters = 0;
        for (Tensor tensor : checkpoint.tensors().values()) {
            long count = tensor.rows() * tensor.columns();
            parameters += count;
            values.merge(tensor.type(), count, Long::sum);
        }
        TensorType most = values.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(TensorType.F32);
        ModelQuantization quantization = most.isQuantized()
                ? new ModelQuantization(
                        most.name().toLowerCase(Locale.ROOT), 8.0 * checkpoint.tensorBytes() / parameters)
                : null;
        return new Model(
                path.toString(),
                name,
                REGISTRY,
                List.of("cpu"),
                family,
                new ModelProperties(size(parameters), null),
                quantization,
                chat ? List.of(ModelSpecialization.CHAT) : List.of(),
                ModelAccessibility.LOCAL,
                false);
    }

    private static ModelFamily family(String family, String vendor) {
        return new ModelFamily(identifier(family), family, new ModelVendor(identifier(vendor), vendor));
    }

    private static String identifier(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("\\s+", "-");
    }

    /** A number of parameters as identifiers write it: 135m, 1.5b. */
    static String size(long parameters) {
        if (parameters < 999_500) {
            return Math.round(parameters / 1e3) + "k";
        }
        if (parameters < 999_500_000) {
            return Math.round(parameters / 1e6) + "m";
        }
        double billions = Math.round(parameters / 1e8) / 10.0;
        return (billions == Math.rint(billions) ? "" + (long) billions : "" + billions) + "b";
    }

    private static List<Path> files(Path folder, String suffix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
