package uzu.app.train;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import uzu.UzuException;
import uzu.app.train.TensorFile.Part;

/**
 * Dialogues in a safetensors file: {@code starts} I32 [dialogues + 1]; {@code ids} I32 [tokens];
 * {@code top_ids} I32 and {@code top_probabilities} F32 [tokens, 8]: what the model expected at this place at temperature 1,
 * zeros where the token was given; {@code writers} U8 [tokens] as {@link Dialogue} names them; {@code held_out} U8
 * [dialogues]. Beside it, if they were recorded, {@code ids} and {@code features} BF16 [tokens, layers × hidden].
 */
final class Shard {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    /** Of shards that don't say what is held out. */
    private static final int HELD_OUT_ONE_IN = 24;

    private Shard() {}

    /** The file is there whole or not at all. */
    static void write(Path file, List<Dialogue> dialogues) {
        int[] starts = new int[dialogues.size() + 1];
        byte[] heldOut = new byte[dialogues.size()];
        for (int i = 0; i < dialogues.size(); i++) {
            starts[i + 1] = starts[i] + dialogues.get(i).size();
            heldOut[i] = (byte) (dialogues.get(i).isHeldOut() ? 1 : 0);
        }
        long tokens = starts[dialogues.size()];
        TensorFile.write(
                file,
                List.of(
                        part("starts", "I32", List.of(MemorySegment.ofArray(starts)), starts.length),
                        part("ids", "I32", all(dialogues, d -> MemorySegment.ofArray(d.ids())), tokens),
                        part(
                                "top_ids",
                                "I32",
                                all(dialogues, d -> MemorySegment.ofArray(d.topIds())),
                                tokens,
                                Dialogue.TOP),
                        part(
                                "top_probabilities",
                                "F32",
                                all(dialogues, d -> MemorySegment.ofArray(d.topProbabilities())),
                                tokens,
                                Dialogue.TOP),
                        part("writers", "U8", all(dialogues, d -> MemorySegment.ofArray(d.writers())), tokens),
                        part("held_out", "U8", List.of(MemorySegment.ofArray(heldOut)), heldOut.length)));
    }

    /** The features of dialogues that have some; before the dialogues themselves, which vouch for them. */
    static void writeFeatures(Path file, List<Dialogue> dialogues) {
        long tokens = dialogues.stream().mapToLong(Dialogue::size).sum();
        TensorFile.write(
                file,
                List.of(
                        part("ids", "I32", all(dialogues, d -> MemorySegment.ofArray(d.ids())), tokens),
                        part(
                                "features",
                                "BF16",
                                all(dialogues, d -> MemorySegment.ofArray(d.features())),
                                tokens,
                                dialogues.getFirst().featureWidth())));
    }

    private static Part part(String name, String type, List<MemorySegment> data, long... shape) {
        return new Part(name, type, shape, data);
    }

    private static List<MemorySegment> all(List<Dialogue> dialogues, Function<Dialogue, MemorySegment> data) {
        return dialogues.stream().map(data).toList();
    }

    /**
     * What {@link #write} wrote; features lie elsewhere.
     *
     * @throws UzuException.ModelCorrupt for another file, or half of one
     */
    static List<Dialogue> read(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            Map<String, MemorySegment> tensors = TensorFile.read(file, arena);
            int[] starts = ints(file, tensors, "starts");
            int[] ids = ints(file, tensors, "ids");
            int[] topIds = ints(file, tensors, "top_ids");
            float[] topProbabilities =
                    tensor(file, tensors, "top_probabilities").toArray(FLOAT);
            byte[] writers = tensor(file, tensors, "writers").toArray(ValueLayout.JAVA_BYTE);
            MemorySegment heldOut = tensors.get("held_out");
            int known = ids.length * Dialogue.TOP;
            if (writers.length != ids.length || topIds.length != known || topProbabilities.length != known) {
                throw TensorFile.corrupt(file, "has more of one thing than of another for its tokens");
            }
            List<Dialogue> dialogues = new ArrayList<>();
            for (int i = 0; i < starts.length - 1; i++) {
                if (starts[i] != (i == 0 ? 0 : dialogues.getLast().size() + starts[i - 1])
                        || starts[i + 1] < starts[i]
                        || starts[i + 1] > ids.length) {
                    throw TensorFile.corrupt(file, "has dialogues that don't add up to its tokens");
                }
                boolean held = heldOut == null ? i % HELD_OUT_ONE_IN == 0 : heldOut.get(ValueLayout.JAVA_BYTE, i) != 0;
                Dialogue dialogue = new Dialogue(held, 0);
                for (int at = starts[i]; at < starts[i + 1]; at++) {
                    int from = at * Dialogue.TOP;
                    dialogue.read(
                            ids[at],
                            writers[at],
                            Arrays.copyOfRange(topIds, from, from + Dialogue.TOP),
                            Arrays.copyOfRange(topProbabilities, from, from + Dialogue.TOP));
                }
                dialogues.add(dialogue);
            }
            return dialogues;
        }
    }

    /** Whether {@code file} holds features of {@code width} numbers for just these tokens. */
    static boolean hasFeatures(Path file, List<Dialogue> dialogues, int width) {
        if (!Files.exists(file)) {
            return false;
        }
        int[] ids = dialogues.stream().flatMapToInt(d -> Arrays.stream(d.ids())).toArray();
        try (Arena arena = Arena.ofConfined()) {
            Map<String, MemorySegment> tensors = TensorFile.read(file, arena);
            return tensor(file, tensors, "ids").mismatch(MemorySegment.ofArray(ids)) < 0
                    && tensor(file, tensors, "features").byteSize() == 2L * ids.length * width;
        } catch (UzuException.ModelCorrupt e) {
            return false;
        }
    }

    private static int[] ints(Path file, Map<String, MemorySegment> tensors, String name) {
        return tensor(file, tensors, name).toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    private static MemorySegment tensor(Path file, Map<String, MemorySegment> tensors, String name) {
        MemorySegment tensor = tensors.get(name);
        if (tensor == null) {
            throw TensorFile.corrupt(file, "has no tensor " + name);
        }
        return tensor;
    }

    /** Removes a file that is no longer right. */
    static void forget(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw Disk.failure(file, e);
        }
    }
}
