package uzu.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import uzu.UzuException;

/**
 * A GGUF file (versions 2 and 3, little endian), mapped into memory: its tensors are read in place, and closing it
 * unmaps them. The format is described by ggml's {@code docs/gguf.md}.
 */
public final class Gguf implements Checkpoint {
    private final SharedArena arena;
    private final Metadata metadata;
    private final Map<String, Tensor> tensors;

    private Gguf(SharedArena arena, Metadata metadata, Map<String, Tensor> tensors) {
        this.arena = arena;
        this.metadata = metadata;
        this.tensors = tensors;
    }

    /**
     * Opens a file, checking all of its header.
     *
     * @throws UzuException.ModelNotFound when there is no readable file
     * @throws UzuException.ModelCorrupt naming the key or tensor at fault
     * @throws UzuException.ModelUnsupported when the file is of another kind or version, or has a tensor of an
     *     unsupported type
     */
    public static Gguf open(Path path) {
        SharedArena arena = new SharedArena();
        try {
            return read(path, MappedFile.map(path, arena), arena);
        } catch (InternalError e) {
            arena.close();
            // What Java makes of a page fault in a mapping whose file lost its end.
            throw new UzuException.ModelCorrupt(
                    path + " was changed while it was read", Map.of("path", path.toString()), e);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * A file's bytes, which are copied.
     *
     * @param name for errors
     * @throws UzuException as of {@link #open}
     */
    public static Gguf of(byte[] bytes, String name) {
        SharedArena arena = new SharedArena();
        try {
            MemorySegment copy = arena.allocate(Math.max(1, bytes.length), Long.BYTES);
            MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
            return read(Path.of(name), copy.asSlice(0, bytes.length), arena);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static Gguf read(Path path, MemorySegment file, SharedArena arena) {
        FileKind.require(FileKind.GGUF, path, file);
        ByteBuffer start =
                file.asSlice(0, Math.min(file.byteSize(), Integer.MAX_VALUE)).asByteBuffer();
        GgufHeader header = GgufHeader.read(path, start);
        if (header.values().get("split.count") instanceof GgufValue.Whole count && count.value() > 1) {
            throw new UzuException.ModelUnsupported(
                    path + ": one of the " + count.value() + " files of a split model; join them first",
                    Map.of("path", path.toString(), "key", "split.count"));
        }
        long dataBytes = file.byteSize() - header.dataStart();
        Map<String, Tensor> tensors =
                LinkedHashMap.newLinkedHashMap(header.entries().size());
        for (GgufHeader.Entry entry : header.entries()) {
            if (entry.bytes() > dataBytes || entry.offset() > dataBytes - entry.bytes()) {
                throw new UzuException.ModelCorrupt(
                        path + ": the tensor " + entry.name() + " reaches past the end of the file",
                        Map.of("path", path.toString(), "tensor", entry.name()));
            }
            MemorySegment data = file.asSlice(header.dataStart() + entry.offset(), entry.bytes());
            tensors.put(entry.name(), new Tensor(entry.name(), entry.type(), entry.rows(), entry.columns(), data));
        }
        return new Gguf(arena, new GgufMetadata(path, header.values()), Collections.unmodifiableMap(tensors));
    }

    public Metadata metadata() {
        return metadata;
    }

    @Override
    public Map<String, Tensor> tensors() {
        return tensors;
    }

    @Override
    public void close() {
        arena.close();
    }
}
