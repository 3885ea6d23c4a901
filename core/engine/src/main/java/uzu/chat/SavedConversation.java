package uzu.chat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.ChatMessage;
import uzu.UzuException;

/**
 * A conversation in a file: JSON with its format's name and version, the messages, and a checksum (CRC-32C) of their
 * compact JSON text.
 */
public final class SavedConversation {
    private static final String FORMAT = "uzu-session";
    private static final int VERSION = 1;

    private SavedConversation() {}

    /**
     * Replaces the file only when all is written.
     *
     * @throws UzuException.InvalidArgument when it can't be written there
     * @throws UzuException.DiskFull when there isn't room enough
     */
    public static void write(Path path, List<ChatMessage> messages) {
        JsonNode written = MessageNodes.write(messages);
        ObjectNode file = JsonNodeFactory.instance
                .objectNode()
                .put("format", FORMAT)
                .put("version", VERSION)
                .put("crc32c", checksum(written));
        file.set("messages", written);
        Path whole = path.toAbsolutePath();
        if (whole.getParent() == null || Files.isDirectory(whole)) {
            throw new UzuException.InvalidArgument(
                    "a conversation can't be saved in " + path + ": it is a folder", Map.of("path", path.toString()));
        }
        Path partial = null;
        try {
            partial = Files.createTempFile(whole.getParent(), "." + whole.getFileName(), ".partial");
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap((file + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                // The name must not come to the disk before the contents.
                channel.force(true);
            }
            move(partial, whole);
        } catch (IOException e) {
            delete(partial);
            throw unwritable(path, e);
        }
    }

    private static void move(Path partial, Path whole) throws IOException {
        try {
            Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(partial, whole, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void delete(@Nullable Path partial) {
        try {
            if (partial != null) {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            // The reason why nothing was saved is told; that a piece is left over is the lesser one.
            return;
        }
    }

    private static UzuException unwritable(Path path, IOException e) {
        Map<String, String> details = Map.of("path", path.toString());
        String reason = String.valueOf(e.getMessage());
        return reason.toLowerCase(Locale.ROOT).contains("no space")
                ? new UzuException.DiskFull("no room to save a conversation in " + path, details, e)
                : new UzuException.InvalidArgument("a conversation can't be saved in " + path + ": " + e, details, e);
    }

    /** @throws UzuException.InvalidArgument when there is none, or it is damaged or of a later version */
    public static List<ChatMessage> read(Path path) {
        Map<String, String> details = Map.of("path", path.toString());
        JsonNode file;
        if (!Files.isRegularFile(path)) {
            // A device has no end, and a pipe may have no writer.
            throw new UzuException.InvalidArgument("no conversation can be read from " + path + ": no file", details);
        }
        try {
            file = JsonText.parse(Files.readString(path));
        } catch (IOException e) {
            throw new UzuException.InvalidArgument("no conversation can be read from " + path + ": " + e, details, e);
        } catch (JacksonException e) {
            throw new UzuException.InvalidArgument(path + " is damaged: " + e.getOriginalMessage(), details, e);
        }
        if (!file.path("format").stringValue("").equals(FORMAT)) {
            throw new UzuException.InvalidArgument(path + " is no saved conversation", details);
        }
        if (file.path("version").asInt(0) != VERSION) {
            throw new UzuException.InvalidArgument(
                    path + " has version " + file.path("version") + " of the format; this engine reads " + VERSION,
                    details);
        }
        JsonNode messages = file.path("messages");
        if (file.path("crc32c").asLong(-1) != checksum(messages)) {
            throw new UzuException.InvalidArgument(path + " is damaged: its checksum is wrong", details);
        }
        return MessageNodes.read(messages, path + " is damaged", details);
    }

    private static long checksum(JsonNode messages) {
        CRC32C checksum = new CRC32C();
        checksum.update(messages.toString().getBytes(StandardCharsets.UTF_8));
        return checksum.getValue();
    }
}
