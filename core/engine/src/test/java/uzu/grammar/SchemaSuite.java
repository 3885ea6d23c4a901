package uzu.grammar;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON-Schema-Test-Suite as the jsonschema sdist carries it, fetched beforehand by {@code tools} into the cache. */
record SchemaSuite(String draft) {
    /** @param schema as JSON text */
    record Group(String file, String description, String schema, List<Case> cases) {
        @Override
        public String toString() {
            return file + ": " + description;
        }
    }

    /** @param data an instance as JSON text, its numbers spelled as in the suite's file */
    record Case(String description, String data, boolean valid) {
        /** Whether it fails a format, which the standard by default only notes. */
        boolean isAnnotationOnly() {
            return description.contains("only an annotation");
        }
    }

    private static final String HOST = "http://localhost:1234/";

    private static final List<String> METASCHEMAS = List.of(
            "draft/2020-12/schema",
            "draft/2020-12/meta/core",
            "draft/2020-12/meta/applicator",
            "draft/2020-12/meta/unevaluated",
            "draft/2020-12/meta/validation",
            "draft/2020-12/meta/meta-data",
            "draft/2020-12/meta/format-annotation",
            "draft/2020-12/meta/content");

    static Path folder() {
        String set = System.getenv("UZU_CACHE");
        Path cache =
                set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "uzu") : Path.of(set);
        Path folder = cache.resolve("test/jsonschema/json");
        assumeTrue(
                Files.isDirectory(folder),
                () -> folder + " is absent: tools/fetch_sdist.py jsonschema 4.26.0 " + folder.getParent()
                        + " json/tests/draft7/ json/tests/draft2020-12/ json/remotes/");
        return folder;
    }

    /** The mandatory part. */
    List<Group> groups() throws IOException {
        return groups(folder().resolve("tests").resolve(draft));
    }

    /** Those of {@code optional/SUB}, or of {@code optional} itself. */
    List<Group> optional(String sub) throws IOException {
        return groups(
                folder().resolve("tests").resolve(draft).resolve("optional").resolve(sub));
    }

    private static List<Group> groups(Path folder) throws IOException {
        List<Group> groups = new ArrayList<>();
        for (Path file : filesBelow(folder, 1)) {
            String name = file.getFileName().toString().replace(".json", "");
            for (JsonNode group : read(file)) {
                List<Case> cases = new ArrayList<>();
                for (JsonNode test : group.get("tests")) {
                    cases.add(new Case(
                            test.get("description").asString(),
                            test.get("data").toString(),
                            test.get("valid").asBoolean()));
                }
                groups.add(new Group(
                        name,
                        group.get("description").asString(),
                        group.get("schema").toString(),
                        cases));
            }
        }
        return groups;
    }

    /** What schemas of the suite refer to, as JSON text by address. */
    static Map<String, String> remotes() throws IOException {
        Map<String, String> remotes = new HashMap<>();
        Path folder = folder().resolve("remotes");
        for (Path file : filesBelow(folder, 9)) {
            remotes.put(HOST + folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
        }
        for (String each : METASCHEMAS) {
            remotes.put("https://json-schema.org/" + each, resource("/" + each));
        }
        remotes.put("http://json-schema.org/draft-07/schema", resource("/draft-07/schema"));
        return remotes;
    }

    /** The validator's jar has them. */
    private static String resource(String name) throws IOException {
        try (InputStream in = SchemaSuite.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<Path> filesBelow(Path folder, int depth) throws IOException {
        try (Stream<Path> found = Files.walk(folder, depth)) {
            return found.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    private static JsonNode read(Path file) throws IOException {
        return JsonMapper.builder()
                .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(tools.jackson.databind.DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
                .disable(tools.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build()
                .readTree(Files.readString(file));
    }
}
