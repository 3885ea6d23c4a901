package uzu.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class GgufTest {
    @TempDir
    Path folder;

    @Test
    void readsEveryValueType() {
        try (Gguf file = Gguf.open(Resource.path("format/types.gguf"))) {
            Metadata m = file.metadata();
            assertEquals("test", m.string("general.architecture"));
            assertEquals(200, m.integer("v.u8"));
            assertEquals(-100, m.integer("v.i8"));
            assertEquals(60000, m.integer("v.u16"));
            assertEquals(-30000, m.integer("v.i16"));
            assertEquals(4_000_000_000L, m.integer("v.u32"));
            assertEquals(-2_000_000_000, m.integer("v.i32"));
            assertEquals(-(1L << 60), m.integer("v.i64"));
            assertEquals(1.5, m.number("v.f32"));
            assertEquals(0.1, m.number("v.f64"));
            assertEquals(200.0, m.number("v.u8"));
            assertTrue(m.bool("v.bool"));
            assertEquals("héllo 🌀", m.string("v.string"));
            assertArrayEquals(new String[] {"", "a", "Ġb", "深い"}, m.strings("v.strings"));
            assertArrayEquals(new int[] {1, -2, 3}, m.ints("v.ints"));
            assertArrayEquals(new float[] {0.5f, -1}, m.floats("v.floats"));
            assertTrue(m.has("v.nested"));
            assertEquals(7, m.integerOr("v.none", 7));
            assertNull(m.stringOr("v.none", null));
        }
    }

    @Test
    void aMissingKeyAndAWrongTypeAreNamed() {
        try (Gguf file = Gguf.open(Resource.path("format/types.gguf"))) {
            Metadata m = file.metadata();
            assertEquals("v.none", corrupt(() -> m.string("v.none")).get("key"));
            assertEquals("v.u8", corrupt(() -> m.string("v.u8")).get("key"));
            assertEquals("v.string", corrupt(() -> m.integer("v.string")).get("key"));
            assertEquals("v.f64", corrupt(() -> m.integer("v.f64")).get("key"));
            assertEquals("v.u64", corrupt(() -> m.integer("v.u64")).get("key"));
            assertEquals("v.ints", corrupt(() -> m.strings("v.ints")).get("key"));
            assertEquals("v.nested", corrupt(() -> m.ints("v.nested")).get("key"));
            assertEquals("v.strings", corrupt(() -> m.floats("v.strings")).get("key"));
            assertEquals("v.u8", corrupt(() -> m.stringOr("v.u8", null)).get("key"));
        }
    }

    @Test
    void tensorsKeepTheFilesOrderAndShape() {
        try (Gguf file = Gguf.open(Resource.path("format/types.gguf"))) {
            assertEquals("f32", file.tensors().keySet().iterator().next());
            Tensor q4k = file.tensors().get("q4_k");
            assertEquals(3, q4k.rows());
            assertEquals(512, q4k.columns());
            assertEquals(3 * 2 * 144, q4k.data().byteSize());
        }
    }

    @Test
    void anUnsupportedTensorTypeIsNamed() {
        UzuException e = assertThrows(
                UzuException.ModelUnsupported.class, () -> Gguf.open(Resource.path("format/unsupported.gguf")));
        assertEquals("blk.0.attn_q.weight", e.details().get("tensor"));
        assertEquals("IQ2_XS", e.details().get("type"));
    }

    @Test
    void anotherKindOfFileIsRefusedByWhatItIs() throws IOException {
        assertMessage("this is a safetensors file", "\u0008\0\0\0\0\0\0\0{\"a\":{}}");
        assertMessage("this is JSON text", "{\"architectures\": []}");
        assertMessage("a zip archive", "PK\u0003\u0004");
        assertMessage("Git LFS", "version https://git-lfs.github.com/spec/v1\n");
        assertMessage("an empty file", "");
        assertMessage("older than GGUF", "tjgg\u0003\0\0\0");
        assertMessage("big-endian", "GGUF\0\0\0\u0003");
        assertMessage("version 1", "GGUF\u0001\0\0\0");
    }

    @Test
    void aMissingFileAndAFolderAreNotFound() {
        assertThrows(UzuException.ModelNotFound.class, () -> Gguf.open(folder.resolve("none.gguf")));
        assertThrows(UzuException.ModelNotFound.class, () -> Gguf.open(folder));
    }

    @Test
    void aTensorBeyondTheEndOfTheFileIsCorrupt() throws IOException {
        byte[] bytes = Files.readAllBytes(Resource.path("format/types.gguf"));
        Path cut = folder.resolve("cut.gguf");
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 400));
        assertEquals("q6_k", corrupt(() -> Gguf.open(cut)).get("tensor"));
    }

    @Test
    void duplicateKeysAndTensorsAreRefused() throws IOException {
        assertEquals(
                "a",
                corrupt(() -> Gguf.open(write(header(0, 2).put(u8("a", 1)).put(u8("a", 2)))))
                        .get("key"));
        ByteBuffer tensors = header(2, 0).put(tensor("t", 0, 4)).put(tensor("t", 0, 4));
        assertEquals("t", corrupt(() -> Gguf.open(write(tensors))).get("tensor"));
    }

    @Test
    void impossibleTensorEntriesAreRefused() throws IOException {
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", 0)))))
                        .get("tensor"));
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", 0, 0)))))
                        .get("tensor"));
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", 0, 1, 1, 1, 1, 1)))))
                        .get("tensor"));
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", 4, 4)))))
                        .get("tensor"));
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", -32, 4)))))
                        .get("tensor"));
        long huge = 1L << 62;
        assertEquals(
                "t",
                corrupt(() -> Gguf.open(write(header(1, 0).put(tensor("t", 0, huge, huge)))))
                        .get("tensor"));
    }

    @Test
    void countsBeyondTheFileAllocateNothing() throws IOException {
        corrupt(() -> Gguf.open(write(header(0, 65000))));
        corrupt(() -> Gguf.open(write(header(200000, 0))));
        ByteBuffer array = header(0, 1).put(string("a")).putInt(9).putInt(5).putLong(Integer.MAX_VALUE);
        assertEquals("a", corrupt(() -> Gguf.open(write(array))).get("key"));
    }

    @Test
    void oneFileOfASplitModelIsRefused() throws IOException {
        Path part = write(header(0, 1).put(u8("split.count", 3)));
        assertThrows(UzuException.ModelUnsupported.class, () -> Gguf.open(part));
        Gguf.open(write(header(0, 1).put(u8("split.count", 1)))).close();
    }

    @Test
    void arraysNestedTooDeepAreRefused() throws IOException {
        ByteBuffer deep = header(0, 1).put(string("a")).putInt(9);
        for (int i = 0; i < 100; i++) {
            deep.putInt(9).putLong(1);
        }
        assertEquals("a", corrupt(() -> Gguf.open(write(deep))).get("key"));
    }

    @Test
    void readingAfterCloseIsAnErrorOfJava() {
        Gguf file = Gguf.open(Resource.path("format/types.gguf"));
        Tensor tensor = file.tensors().get("f32");
        file.close();
        file.close();
        assertThrows(IllegalStateException.class, () -> Dequantize.row(tensor, 0, new float[512]));
    }

    private void assertMessage(String part, String content) throws IOException {
        Path file = folder.resolve("other");
        Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
        String message = assertThrows(UzuException.class, () -> Gguf.open(file)).getMessage();
        assertTrue(message.contains(part), message);
    }

    private static Map<String, String> corrupt(Executable action) {
        return assertThrows(UzuException.ModelCorrupt.class, action).details();
    }

    private Path write(ByteBuffer bytes) throws IOException {
        return Files.write(folder.resolve("made.gguf"), Arrays.copyOf(bytes.array(), bytes.position()));
    }

    private static ByteBuffer header(long tensors, long keys) {
        return ByteBuffer.allocate(4096)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(GgufHeader.MAGIC)
                .putInt(3)
                .putLong(tensors)
                .putLong(keys);
    }

    private static byte[] string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return little(8 + bytes.length).putLong(bytes.length).put(bytes).array();
    }

    private static byte[] u8(String key, int value) {
        byte[] name = string(key);
        return little(name.length + 5).put(name).putInt(0).put((byte) value).array();
    }

    private static byte[] tensor(String name, long offset, long... dimensions) {
        byte[] start = string(name);
        ByteBuffer bytes =
                little(start.length + 16 + 8 * dimensions.length).put(start).putInt(dimensions.length);
        for (long d : dimensions) {
            bytes.putLong(d);
        }
        return bytes.putInt(0).putLong(offset).array();
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
