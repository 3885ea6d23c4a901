package uzu.app.train;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.format.Tensor;
import uzu.tokenizer.VocabularyFingerprint;

/**
 * Whose dialogues a training folder has, as its {@code model.txt} says in two lines. Token ids and features of one model
 * mean nothing to another.
 *
 * @param place where the model was, for people
 * @param content tells its vocabulary and weights from others
 */
record TrainedModel(String place, String content) {
    /** Of each tensor, enough to tell trained weights apart. */
    private static final int SAMPLE = 256;

    /** @param path a GGUF file or a model folder */
    static TrainedModel of(Path path) {
        try (Checkpoint checkpoint = Target.checkpoint(path)) {
            long vocabulary = VocabularyFingerprint.of(Target.tokenizer(checkpoint));
            String content = "vocabulary " + Long.toHexString(vocabulary)
                    + ", weights " + Long.toHexString(weights(checkpoint))
                    + " in " + checkpoint.tensorBytes() + " bytes";
            return new TrainedModel(path.toString(), content);
        }
    }

    /** Of names, shapes, and the beginning of each tensor. */
    private static long weights(Checkpoint checkpoint) {
        CRC32 sum = new CRC32();
        for (Tensor tensor : new TreeMap<>(checkpoint.tensors()).values()) {
            String shape = tensor.name() + tensor.type() + tensor.rows() + "x" + tensor.columns();
            sum.update(shape.getBytes(StandardCharsets.UTF_8));
            sum.update(tensor.data()
                    .asSlice(0, Math.min(SAMPLE, tensor.data().byteSize()))
                    .asByteBuffer());
        }
        return sum.getValue();
    }

    /** @throws UzuException.InvalidState when the folder's work is of another model */
    void check(TrainingFolder folder) {
        TrainedModel known = read(folder.model());
        if (known != null && !known.content.equals(content)) {
            throw new UzuException.InvalidState(
                    "%s has work on another model: on %s (%s), but this one is %s (%s); "
                                    .formatted(folder.path(), known.place, known.content, place, content)
                            + "name another --folder, or delete that folder to begin anew",
                    Map.of("path", folder.path().toString(), "expected", known.content, "found", content));
        }
    }

    /**
     * Makes the folder this model's, if it is nobody's; so is one that was begun before there were such notes.
     *
     * @throws UzuException.InvalidState when its work is of another model
     */
    void claim(TrainingFolder folder) {
        check(folder);
        Path file = folder.model();
        if (read(file) != null) {
            return;
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.writeString(part, place + "\n" + content + "\n");
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw Disk.failure(file, e);
        }
    }

    private static @Nullable TrainedModel read(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            String[] lines = Files.readString(file).split("\n");
            return lines.length == 2 ? new TrainedModel(lines[0], lines[1]) : null;
        } catch (IOException e) {
            throw Disk.failure(file, e);
        }
    }
}
