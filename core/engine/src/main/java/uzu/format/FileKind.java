package uzu.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import uzu.UzuException;

/** What a file's first bytes say it is, so that the wrong file is refused by what it is. */
enum FileKind {
    GGUF("a GGUF file"),
    SAFETENSORS("a safetensors file"),
    GGML("a GGML file, older than GGUF"),
    ZIP("a zip archive or a PyTorch checkpoint"),
    JSON("JSON text"),
    HTML("a web page"),
    GIT_LFS("a Git LFS pointer: the model itself was not fetched"),
    EMPTY("an empty file"),
    UNKNOWN("not a model file of a known kind");

    private static final ValueLayout.OfLong LITTLE_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long MAX_SAFETENSORS_HEADER = 1L << 32;

    private final String words;

    FileKind(String words) {
        this.words = words;
    }

    static FileKind of(MemorySegment file) {
        if (file.byteSize() == 0) {
            return EMPTY;
        }
        if (file.byteSize() >= 9) {
            long length = file.get(LITTLE_LONG, 0);
            if (length > 0 && length < MAX_SAFETENSORS_HEADER && file.get(ValueLayout.JAVA_BYTE, 8) == '{') {
                return SAFETENSORS;
            }
        }
        int head = (int) Math.min(16, file.byteSize());
        byte[] bytes = file.asSlice(0, head).toArray(ValueLayout.JAVA_BYTE);
        String start = new String(bytes, StandardCharsets.ISO_8859_1);
        if (start.startsWith("GGUF")) {
            return GGUF;
        }
        if (start.startsWith("tjgg") || start.startsWith("fmgg") || start.startsWith("lmgg")) {
            return GGML;
        }
        if (start.startsWith("PK")) {
            return ZIP;
        }
        if (start.startsWith("version https://")) {
            return GIT_LFS;
        }
        String text = start.stripLeading();
        return text.startsWith("{") ? JSON : text.startsWith("<") ? HTML : UNKNOWN;
    }

    static void require(FileKind wanted, Path path, MemorySegment file) {
        FileKind kind = of(file);
        if (kind != wanted) {
            Map<String, String> details = Map.of("path", path.toString(), "field", "magic");
            String message = path + ": expected " + wanted.words + ", but this is " + kind.words;
            throw kind == EMPTY || kind == UNKNOWN
                    ? new UzuException.ModelCorrupt(message, details)
                    : new UzuException.ModelUnsupported(message, details);
        }
    }
}
