package uzu.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

/** The JSON of model folders: strict about duplicates, bounded in depth and size. */
final class JsonFiles {
    static final int MAX_DEPTH = 64;
    static final long MAX_BYTES = 16L << 20;

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(1 << 10)
                    .maxStringLength(1 << 22)
                    .maxNumberLength(64)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY).build();

    private JsonFiles() {}

    /** The object that the file holds. */
    static JsonNode object(Path path) {
        Map<String, String> details = Map.of("path", path.toString());
        try {
            long bytes = Files.size(path);
            if (bytes > MAX_BYTES) {
                throw new UzuException.ModelCorrupt(path + ": " + bytes + " bytes of JSON, over the limit", details);
            }
            JsonNode node = MAPPER.readTree(Files.readAllBytes(path));
            if (!node.isObject()) {
                throw new UzuException.ModelCorrupt(path + ": not a JSON object", details);
            }
            return node;
        } catch (IOException e) {
            throw new UzuException.ModelNotFound(path + ": can't be read: " + e.getMessage(), details, e);
        } catch (JacksonException e) {
            throw new UzuException.ModelCorrupt(path + ": malformed JSON: " + e.getOriginalMessage(), details, e);
        }
    }
}
