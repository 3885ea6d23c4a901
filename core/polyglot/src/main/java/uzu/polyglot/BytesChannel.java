package uzu.polyglot;

import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** Bytes in memory, read as a file. */
final class BytesChannel implements SeekableByteChannel {
    private final ByteBuffer bytes;

    BytesChannel(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    @Override
    public int read(ByteBuffer into) {
        int count = Math.min(bytes.remaining(), into.remaining());
        if (count == 0) {
            return into.hasRemaining() ? -1 : 0;
        }
        into.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public int write(ByteBuffer from) {
        throw new NonWritableChannelException();
    }

    @Override
    public long position() {
        return bytes.position();
    }

    @Override
    public SeekableByteChannel position(long position) {
        bytes.position((int) Math.min(position, bytes.limit()));
        return this;
    }

    @Override
    public long size() {
        return bytes.limit();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
