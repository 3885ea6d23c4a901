package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import uzu.KvCache;
import uzu.backend.Executable;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Gguf;
import uzu.format.TensorType;
import uzu.model.LanguageModel;

/** A small random llama whose readout is Q8_0 and large enough to be screened, with its screen made. */
public final class ScreenedModel implements AutoCloseable {
    public static final int VOCABULARY = 4200;

    private static final int LAYERS = 2;
    private static final int WIDTH = 64;
    private static final int HEADS = 4;
    private static final int KV_HEADS = 2;
    private static final int HEAD_SIZE = 16;
    private static final int FEED_FORWARD = 96;
    private static final int ALIGNMENT = 32;
    /** As GGUF numbers types of values. */
    private static final int UINT32 = 4;

    private static final int FLOAT32 = 6;
    private static final int STRING = 8;

    final LanguageModel model;
    private final Random random;
    private final CpuBackend backend;

    public ScreenedModel(long seed, int threads) {
        random = new Random(seed);
        CpuOptions options = CpuOptions.defaults()
                .withThreads(threads)
                .withCache(KvCache.F16)
                .withMaxRows(64);
        assumeTrue(CpuBackend.kernels(options).library() != null, "no kernels in C for this machine");
        backend = CpuBackend.open(options);
        try (Gguf file = Gguf.of(file(), "screened")) {
            model = LanguageModel.load(file, backend);
        }
        long before = executable().memoryBytes();
        while (executable().improve(() -> false)) {}
        long screen = executable().memoryBytes() - before;
        assertTrue(screen > VOCABULARY * WIDTH / 2, "a screen of " + screen + " bytes");
    }

    public Executable executable() {
        return model.executable();
    }

    @Override
    public void close() {
        model.close();
        backend.close();
    }

    private byte[] file() {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("general.architecture", "llama");
        keys.put("llama.block_count", LAYERS);
        keys.put("llama.context_length", 512);
        keys.put("llama.embedding_length", WIDTH);
        keys.put("llama.feed_forward_length", FEED_FORWARD);
        keys.put("llama.attention.head_count", HEADS);
        keys.put("llama.attention.head_count_kv", KV_HEADS);
        keys.put("llama.attention.key_length", HEAD_SIZE);
        keys.put("llama.attention.value_length", HEAD_SIZE);
        keys.put("llama.attention.layer_norm_rms_epsilon", 1e-5f);
        Tensors tensors = new Tensors();
        tensors.floats("token_embd", VOCABULARY, WIDTH, 0, 1);
        for (int layer = 0; layer < LAYERS; layer++) {
            String block = "blk." + layer + ".";
            tensors.floats(block + "attn_norm", 1, WIDTH, 1, 0.2f);
            tensors.floats(block + "attn_q", HEADS * HEAD_SIZE, WIDTH, 0, 0.3f);
            tensors.floats(block + "attn_k", KV_HEADS * HEAD_SIZE, WIDTH, 0, 0.3f);
            tensors.floats(block + "attn_v", KV_HEADS * HEAD_SIZE, WIDTH, 0, 0.2f);
            tensors.floats(block + "attn_output", WIDTH, HEADS * HEAD_SIZE, 0, 0.1f);
            tensors.floats(block + "ffn_norm", 1, WIDTH, 1, 0.2f);
            tensors.floats(block + "ffn_gate", FEED_FORWARD, WIDTH, 0, 0.2f);
            tensors.floats(block + "ffn_up", FEED_FORWARD, WIDTH, 0, 0.2f);
            tensors.floats(block + "ffn_down", WIDTH, FEED_FORWARD, 0, 0.1f);
        }
        tensors.floats("output_norm", 1, WIDTH, 1, 0.2f);
        tensors.quantised("output", VOCABULARY, WIDTH);
        return bytes(keys, tensors);
    }

    /** Descriptions and data of tensors, one after the other. */
    private final class Tensors {
        private final ByteBuffer entries = little(1 << 14);
        private final ByteArrayOutputStream data = new ByteArrayOutputStream();
        private int count;

        void floats(String name, int rows, int columns, float centre, float spread) {
            ByteBuffer bytes = little(4 * rows * columns);
            while (bytes.hasRemaining()) {
                bytes.putFloat(centre + spread * (float) random.nextGaussian());
            }
            add(name, TensorType.F32, rows, columns, bytes);
        }

        void quantised(String name, int rows, int columns) {
            ByteBuffer bytes = little(Math.toIntExact(rows * TensorType.Q8_0.rowBytes(columns)));
            while (bytes.hasRemaining()) {
                bytes.putShort(Float.floatToFloat16(0.003f + 0.001f * random.nextFloat()));
                for (int i = 0; i < TensorType.Q8_0.blockSize(); i++) {
                    bytes.put((byte) Math.clamp(Math.round(45 * random.nextGaussian()), -127, 127));
                }
            }
            add(name, TensorType.Q8_0, rows, columns, bytes);
        }

        private void add(String name, TensorType type, int rows, int columns, ByteBuffer bytes) {
            putText(entries, name + ".weight");
            entries.putInt(rows == 1 ? 1 : 2).putLong(columns);
            if (rows > 1) {
                entries.putLong(rows);
            }
            entries.putInt(type.ggml()).putLong(data.size());
            data.writeBytes(bytes.array());
            data.writeBytes(new byte[-data.size() & ALIGNMENT - 1]);
            count++;
        }
    }

    private static byte[] bytes(Map<String, Object> keys, Tensors tensors) {
        ByteBuffer header = little(1 << 15);
        header.putInt(0x46554747).putInt(3).putLong(tensors.count).putLong(keys.size());
        keys.forEach((key, value) -> {
            putText(header, key);
            switch (value) {
                case Integer whole -> header.putInt(UINT32).putInt(whole);
                case Float real -> header.putInt(FLOAT32).putFloat(real);
                default -> putText(header.putInt(STRING), value.toString());
            }
        });
        header.put(tensors.entries.flip());
        header.position(header.position() + ALIGNMENT - 1 & -ALIGNMENT);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(header.array(), 0, header.position());
        file.writeBytes(tensors.data.toByteArray());
        return file.toByteArray();
    }

    private static void putText(ByteBuffer into, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        into.putLong(bytes.length).put(bytes);
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
