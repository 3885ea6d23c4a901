package uzu.app.train;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import uzu.UzuException;

/**
 * Dialogues in one safetensors file: {@code starts} I32 [dialogues + 1]; {@code ids} I32 [tokens]; {@code writers} U8
 * [tokens]; {@code top_ids} I32 and {@code top_probabilities} F32 [tokens, 8]: what the model expected at this place,
 * nothing where the token was given.
 */
final class Shard {
    private Shard() {}

    /** The file is there whole or not at all. */
    static void write(Path file, List<Dialogue> dialogues) {
        int tokens = dialogues.stream().mapToInt(Dialogue::size).sum();
        int starts = dialogues.size() + 1;
        ByteBuffer data = ByteBuffer.allocate(4 * starts + tokens * (4 + 8 * Dialogue.TOP + 1))
                .order(ByteOrder.LITTLE_ENDIAN);
        int start = 0;
        for (Dialogue dialogue : dialogues) {
            data.putInt(start);
            start += dialogue.size();
        }
        data.putInt(start);
        for (Dialogue dialogue : dialogues) {
            for (int i = 0; i < dialogue.size(); i++) {
                data.putInt(dialogue.id(i));
            }
        }
        for (Dialogue dialogue : dialogues) {
            for (int i = 0; i < dialogue.size() * Dialogue.TOP; i++) {
                data.putInt(dialogue.topId(i / Dialogue.TOP, i % Dialogue.TOP));
            }
        }
        for (Dialogue dialogue : dialogues) {
            for (int i = 0; i < dialogue.size() * Dialogue.TOP; i++) {
                data.putFloat(dialogue.topProbability(i / Dialogue.TOP, i % Dialogue.TOP));
            }
        }
        for (Dialogue dialogue : dialogues) {
            for (int i = 0; i < dialogue.size(); i++) {
                data.put(dialogue.writer(i));
            }
        }
        byte[] header = header(starts, tokens);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                out.write(ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .array());
                out.write(header);
                out.write(data.array());
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    file + " can't be written: " + e.getMessage(), Map.of("path", file.toString()), e);
        }
    }

    private static byte[] header(int starts, int tokens) {
        int ids = 4 * starts;
        int topIds = ids + 4 * tokens;
        int topProbabilities = topIds + 4 * Dialogue.TOP * tokens;
        int writers = topProbabilities + 4 * Dialogue.TOP * tokens;
        String json = "{" + entry("starts", "I32", String.valueOf(starts), 0, ids)
                + "," + entry("ids", "I32", String.valueOf(tokens), ids, topIds)
                + "," + entry("top_ids", "I32", tokens + "," + Dialogue.TOP, topIds, topProbabilities)
                + "," + entry("top_probabilities", "F32", tokens + "," + Dialogue.TOP, topProbabilities, writers)
                + "," + entry("writers", "U8", String.valueOf(tokens), writers, writers + tokens)
                + "}";
        return (json + " ".repeat((8 - json.length() % 8) % 8)).getBytes(StandardCharsets.US_ASCII);
    }

    private static String entry(String name, String type, String shape, int from, int to) {
        return "\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%d,%d]}"
                .formatted(name, type, shape, from, to);
    }
}
