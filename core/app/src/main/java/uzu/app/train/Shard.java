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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uzu.UzuException;

/**
 * Dialogues in one safetensors file: {@code starts} I32 [dialogues + 1]; {@code ids} I32 [tokens]; {@code writers} U8
 * [tokens]; {@code top_ids} I32 and {@code top_probabilities} F32 [tokens, 8]: what the model expected at this place,
 * nothing where the token was given.
 */
final class Shard {
    private static final Pattern STARTS =
            Pattern.compile("\\{\"starts\":\\{\"dtype\":\"I32\",\"shape\":\\[(\\d{1,9})]");
    private static final Pattern IDS = Pattern.compile("\"ids\":\\{\"dtype\":\"I32\",\"shape\":\\[(\\d{1,8})]");

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

    /**
     * What {@link #write} wrote.
     *
     * @throws UzuException.ModelCorrupt for another file, or half of one
     */
    static List<Dialogue> read(Path file) {
        try {
            ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            int[] sizes = sizes(file, all);
            byte[] expected = header(sizes[0], sizes[1]);
            int begin = 8 + expected.length;
            long bytes = begin + 4L * sizes[0] + sizes[1] * (4L + 8 * Dialogue.TOP + 1);
            if (all.getLong(0) != expected.length
                    || bytes != all.capacity()
                    || !Arrays.equals(expected, 0, expected.length, all.array(), 8, begin)) {
                throw corrupt(file);
            }
            return dialogues(file, all.slice(begin, all.capacity() - begin).order(ByteOrder.LITTLE_ENDIAN), sizes);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    file + " can't be read: " + e.getMessage(), Map.of("path", file.toString()), e);
        }
    }

    /** The lengths of starts and ids, of which all others follow. */
    private static int[] sizes(Path file, ByteBuffer all) {
        if (all.capacity() < 8 || all.getLong(0) < 0 || all.getLong(0) > all.capacity() - 8) {
            throw corrupt(file);
        }
        String json = new String(all.array(), 8, (int) all.getLong(0), StandardCharsets.US_ASCII);
        Matcher starts = STARTS.matcher(json);
        Matcher ids = IDS.matcher(json);
        if (!starts.find() || !ids.find()) {
            throw corrupt(file);
        }
        return new int[] {Integer.parseInt(starts.group(1)), Integer.parseInt(ids.group(1))};
    }

    private static List<Dialogue> dialogues(Path file, ByteBuffer data, int[] sizes) {
        int ids = 4 * sizes[0];
        int topIds = ids + 4 * sizes[1];
        int topProbabilities = topIds + 4 * Dialogue.TOP * sizes[1];
        int writers = topProbabilities + 4 * Dialogue.TOP * sizes[1];
        List<Dialogue> dialogues = new ArrayList<>();
        int[] tokens = new int[Dialogue.TOP];
        float[] probabilities = new float[Dialogue.TOP];
        int at = 0;
        for (int i = 0; i < sizes[0] - 1; i++) {
            int end = data.getInt(4 * (i + 1));
            if (end < at || end > sizes[1] || data.getInt(4 * i) != at) {
                throw corrupt(file);
            }
            Dialogue dialogue = new Dialogue();
            for (; at < end; at++) {
                for (int k = 0; k < Dialogue.TOP; k++) {
                    tokens[k] = data.getInt(topIds + 4 * (at * Dialogue.TOP + k));
                    probabilities[k] = data.getFloat(topProbabilities + 4 * (at * Dialogue.TOP + k));
                }
                dialogue.read(data.getInt(ids + 4 * at), data.get(writers + at), tokens, probabilities);
            }
            dialogues.add(dialogue);
        }
        return dialogues;
    }

    private static UzuException.ModelCorrupt corrupt(Path file) {
        return new UzuException.ModelCorrupt(file + " is no shard of dialogues", Map.of("path", file.toString()));
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
