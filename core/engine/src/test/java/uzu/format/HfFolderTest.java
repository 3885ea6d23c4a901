package uzu.format;

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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class HfFolderTest {
    private static final String TWO_FLOATS = "{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}";

    @TempDir
    Path folder;

    @BeforeEach
    void config() throws IOException {
        Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"llama\"}");
    }

    @Test
    void shardedFoldersAreReadAsOne() {
        try (HfFolder llama = HfFolder.open(Resource.path("checkpoints/llama"))) {
            assertEquals("llama", llama.config().get("model_type").stringValue());
            assertEquals(21, llama.tensors().size());
            Tensor down = llama.tensors().get("model.layers.0.mlp.down_proj.weight");
            assertEquals(64, down.rows());
            assertEquals(104, down.columns());
            assertEquals(TensorType.F32, down.type());
        }
    }

    @Test
    void theGgufTwinHoldsTheSameValues() {
        assertTwin("qwen2", "model.layers.1.mlp.up_proj.weight", "blk.1.ffn_up.weight", TensorType.F16);
        assertTwin("qwen3", "model.layers.2.self_attn.q_proj.weight", "blk.2.attn_q.weight", TensorType.BF16);
    }

    @Test
    void filesOfAFolderAreFoundOrNamed() throws IOException {
        write("a", TWO_FLOATS, 8);
        try (HfFolder open = HfFolder.open(folder)) {
            assertNull(open.chatTemplate());
            assertNull(open.generationConfig());
            assertEquals(
                    "tokenizer.json",
                    assertThrows(UzuException.ModelNotFound.class, open::tokenizer)
                            .details()
                            .get("file"));
            Files.writeString(folder.resolve("tokenizer_config.json"), "{\"chat_template\": \"plain\"}");
            assertEquals("plain", open.chatTemplate());
            Files.writeString(
                    folder.resolve("tokenizer_config.json"),
                    "{\"chat_template\": [{\"name\": \"rag\", \"template\": \"r\"}, {\"name\": \"default\", \"template\": \"d\"}]}");
            assertEquals("d", open.chatTemplate());
            Files.writeString(folder.resolve("chat_template.json"), "{\"chat_template\": \"json\"}");
            assertEquals("json", open.chatTemplate());
            Files.writeString(folder.resolve("chat_template.jinja"), "jinja");
            assertEquals("jinja", open.chatTemplate());
        }
    }

    @Test
    void aFolderWithoutWeightsIsRefused() throws IOException {
        assertThrows(UzuException.ModelNotFound.class, () -> HfFolder.open(folder));
        Files.writeString(folder.resolve("pytorch_model.bin"), "PK");
        assertThrows(UzuException.ModelUnsupported.class, () -> HfFolder.open(folder));
        assertThrows(UzuException.ModelNotFound.class, () -> HfFolder.open(folder.resolve("none")));
    }

    @Test
    void malformedConfigsAreCorrupt() throws IOException {
        write("a", TWO_FLOATS, 8);
        for (String json : new String[] {"", "[]", "{\"a\": 1, \"a\": 2}", "{", "[".repeat(5000), "{\"a\": NaN}"}) {
            Files.writeString(folder.resolve("config.json"), json);
            assertThrows(UzuException.ModelCorrupt.class, () -> HfFolder.open(folder), json);
        }
    }

    @Test
    void impossibleTensorsAreNamed() throws IOException {
        String[] entries = {
            "{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,16]}",
            "{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,0]}",
            "{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[0,8]}",
            "{\"dtype\":\"F32\",\"shape\":[1,0],\"data_offsets\":[0,0]}",
            "{\"dtype\":\"F32\",\"shape\":[-1,-2],\"data_offsets\":[0,8]}",
            "{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,8]}",
            "{\"dtype\":\"F32\",\"shape\":[1,2]}",
            "{\"dtype\":\"F32\",\"shape\":[1,2.5],\"data_offsets\":[0,8]}",
            "{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8],\"more\":1}",
            "{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[4,8]}",
            "7",
        };
        for (String entry : entries) {
            write("t", entry, 8);
            assertEquals("t", corrupt(() -> HfFolder.open(folder)).get("tensor"), entry);
        }
    }

    @Test
    void overlapsTrailingBytesAndDuplicatesAreRefused() throws IOException {
        write("a\":" + TWO_FLOATS + ",\"b", TWO_FLOATS, 8);
        corrupt(() -> HfFolder.open(folder));
        write("a", TWO_FLOATS, 9);
        corrupt(() -> HfFolder.open(folder));
        write("a\":" + TWO_FLOATS + ",\"a", TWO_FLOATS, 8);
        corrupt(() -> HfFolder.open(folder));
    }

    @Test
    void unsupportedTypesAreNamed() throws IOException {
        write("t", "{\"dtype\":\"F8_E4M3\",\"shape\":[8],\"data_offsets\":[0,8]}", 8);
        Map<String, String> details = assertThrows(UzuException.ModelUnsupported.class, () -> HfFolder.open(folder))
                .details();
        assertEquals("t", details.get("tensor"));
        assertEquals("F8_E4M3", details.get("type"));
    }

    @Test
    void theIndexAndTheShardsMustAgree() throws IOException {
        write("a", TWO_FLOATS, 8);
        Files.move(folder.resolve("model.safetensors"), folder.resolve("s.safetensors"));
        index("\"a\": \"s.safetensors\"");
        HfFolder.open(folder).close();
        index("\"a\": \"s.safetensors\", \"b\": \"s.safetensors\"");
        assertEquals("b", corrupt(() -> HfFolder.open(folder)).get("tensor"));
        index("\"b\": \"s.safetensors\"");
        assertEquals("a", corrupt(() -> HfFolder.open(folder)).get("tensor"));
        index("\"a\": \"../s.safetensors\"");
        corrupt(() -> HfFolder.open(folder));
        index("\"a\": \"other.safetensors\"");
        assertThrows(UzuException.ModelNotFound.class, () -> HfFolder.open(folder));
    }

    private void assertTwin(String family, String name, String ggufName, TensorType type) {
        Path path = Resource.path("checkpoints/" + family);
        try (HfFolder source = HfFolder.open(path);
                Gguf twin = Gguf.open(path.resolve("model.gguf"))) {
            Tensor tensor = twin.tensors().get(ggufName);
            assertEquals(type, tensor.type());
            assertEquals(-1, tensor.data().mismatch(source.tensors().get(name).data()));
            assertTrue(twin.metadata().string("general.architecture").startsWith("qwen"));
        }
    }

    private void index(String map) throws IOException {
        Files.writeString(folder.resolve("model.safetensors.index.json"), "{\"weight_map\": {" + map + "}}");
    }

    private void write(String name, String entry, int dataBytes) throws IOException {
        byte[] header = ("{\"" + name + "\":" + entry + "}").getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + header.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(header.length).put(header);
        Files.write(folder.resolve("model.safetensors"), file.array());
    }

    private static Map<String, String> corrupt(Executable action) {
        return assertThrows(UzuException.ModelCorrupt.class, action).details();
    }
}
