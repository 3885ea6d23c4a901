package uzu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API against docs/api-members.json, which every language is checked with; docs/parity.md says how it is read. */
class ApiMembersTest {
    private static final Pattern UNDERSCORE = Pattern.compile("_(.)");

    private final JsonNode list = read();
    private final JsonNode differences = list.path("differences").path("java");
    private final List<String> faults = new ArrayList<>();

    @Test
    void everyMemberIsThereUnlessTheListSaysOtherwise() {
        list.path("types").forEachEntry(this::checkType);
        for (JsonNode code : list.path("errors")) {
            String name = "_" + code.stringValue();
            expect(name, load("UzuException$" + camelCase(name)) != null);
        }
        assertEquals(List.of(), faults);
    }

    @Test
    void everyDifferenceIsOfSomethingListed() {
        differences.forEachEntry((path, spelling) -> {
            String[] parts = path.split("\\.");
            JsonNode type = list.path("types").path(parts[0]);
            boolean isListed = parts.length == 1
                    || Stream.of("members", "values").anyMatch(key -> holds(type.path(key), parts[1]))
                    || (parts.length == 2 && type.path("variants").has(parts[1]))
                    || (parts.length == 3 && holds(type.path("variants").path(parts[1]), parts[2]));
            if (type.isMissingNode() || !isListed) {
                faults.add(path);
            }
        });
        assertEquals(List.of(), faults);
    }

    private void checkType(String name, JsonNode type) {
        Class<?> found = load(spelled(name, name));
        if (found == null) {
            faults.add(name);
            return;
        }
        boolean isConfig = type.path("kind").stringValue().equals("config");
        for (JsonNode member : type.path("members")) {
            checkMember(found, name, member.stringValue(), isConfig);
        }
        if (isConfig) {
            expect(name + ".create", hasMethod(found, "create"));
        }
        for (JsonNode value : type.path("values")) {
            String constant = value.stringValue().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
            expect(name + "." + value.stringValue(), hasConstant(found, constant.toUpperCase(Locale.ROOT)));
        }
        type.path("variants").forEachEntry((variant, fields) -> checkVariant(found, name + "." + variant, fields));
    }

    private void checkMember(Class<?> type, String owner, String member, boolean hasWith) {
        String name = spelled(owner + "." + member, camelCase(member));
        expect(owner + "." + member, hasMethod(type, name));
        if (hasWith) {
            expect(owner + "." + member, hasMethod(type, camelCase("with_" + member)));
        }
    }

    private void checkVariant(Class<?> union, String path, JsonNode fields) {
        String name = spelled(path, path.substring(path.indexOf('.') + 1));
        Class<?> variant = load(union.getSimpleName() + "$" + name);
        expect(path, variant != null || hasConstant(union, name));
        for (JsonNode field : fields) {
            if (variant != null) {
                checkMember(variant, path, field.stringValue(), false);
            }
        }
    }

    /** What the list says is absent must be. */
    private void expect(String path, boolean isThere) {
        if (isThere == differences.path(path).isNull()) {
            faults.add(path);
        }
    }

    private String spelled(String path, String usual) {
        JsonNode other = differences.path(path);
        return other.isString() ? other.stringValue() : usual;
    }

    private static boolean hasMethod(Class<?> type, String name) {
        return Arrays.stream(type.getMethods()).map(Method::getName).anyMatch(name::equals);
    }

    private static boolean hasConstant(Class<?> type, String name) {
        return Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals(name));
    }

    private static boolean holds(JsonNode array, String text) {
        return array.valueStream().anyMatch(each -> each.stringValue().equals(text));
    }

    private static @Nullable Class<?> load(String name) {
        try {
            return Class.forName("uzu." + name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static String camelCase(String name) {
        return UNDERSCORE.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static JsonNode read() {
        try {
            return JsonMapper.shared().readTree(Files.readString(Path.of("../../docs/api-members.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
