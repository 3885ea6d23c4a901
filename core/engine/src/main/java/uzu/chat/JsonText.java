package uzu.chat;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

/** JSON values that models and callers write as text: one value, limited in depth, nothing after it. */
final class JsonText {
    private static final int MOST_DEPTH = 200;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MOST_DEPTH)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private JsonText() {}

    /** @throws JacksonException when it is no JSON */
    static JsonNode parse(String json) {
        return MAPPER.readTree(json);
    }

    /** @param what it is, for the error */
    static JsonNode parse(String json, String what, Map<String, String> details) {
        try {
            JsonNode node = parse(json);
            if (!node.isMissingNode()) {
                return node;
            }
        } catch (JacksonException e) {
            throw new UzuException.InvalidArgument(what + " is no JSON: " + e.getOriginalMessage(), details, e);
        }
        throw new UzuException.InvalidArgument(what + " is empty", details);
    }
}
