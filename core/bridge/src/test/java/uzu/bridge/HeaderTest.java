package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import uzu.ErrorCode;

/** The C sources and the Java enum say the same. */
class HeaderTest {
    private static final Path SOURCES = Path.of("src/main/c");

    @Test
    void theResultsInTheHeaderAreTheErrorCodes() throws IOException {
        Map<Integer, String> results = new TreeMap<>();
        Matcher lines = Pattern.compile("UZU_([A-Z_]+) = -(\\d+)").matcher(read("uzu.h"));
        while (lines.find()) {
            results.put(Integer.valueOf(lines.group(2)), lines.group(1));
        }
        Map<Integer, String> codes = new TreeMap<>();
        for (ErrorCode code : ErrorCode.values()) {
            codes.put(code.ordinal() + 1, code.name());
        }
        assertEquals(codes, results);
    }

    @Test
    void theHostsNamesForThemAreInTheSameOrder() throws IOException {
        String array = read("result.c").split("CODES\\[\\] = \\{")[1].split("}")[0];
        List<String> names = new ArrayList<>();
        Matcher quoted = Pattern.compile("\"(\\w+)\"").matcher(array);
        while (quoted.find()) {
            names.add(quoted.group(1).toUpperCase(Locale.ROOT));
        }
        assertEquals(List.of(ErrorCode.values()).stream().map(ErrorCode::name).toList(), names);
    }

    @Test
    void everyFunctionOfTheHeaderIsInTheTable() throws IOException {
        Matcher declared = Pattern.compile("UZU_API int32_t uzu_(\\w+)\\(").matcher(read("uzu.h"));
        List<String> functions = new ArrayList<>();
        while (declared.find()) {
            functions.add(declared.group(1));
        }
        Matcher entries = Pattern.compile("uzu_entry (\\w+);").matcher(read("host.h"));
        List<String> slots = new ArrayList<>();
        while (entries.find()) {
            slots.add(entries.group(1));
        }
        assertEquals(
                functions.stream().sorted().toList(), slots.stream().sorted().toList());
        assertEquals(
                slots,
                Functions.of(new Bridge()).stream().map(Functions.Entry::name).toList());
    }

    @Test
    void everyFunctionOfTheHeaderIsTriedByTheConformanceTest() throws IOException {
        StringBuilder test = new StringBuilder();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("src/test/c/conformance"), "*.c")) {
            for (Path file : files) {
                test.append(Files.readString(file));
            }
        }
        Matcher declared = Pattern.compile("UZU_API [^;(]*?(uzu_\\w+)\\(").matcher(read("uzu.h"));
        List<String> untried = new ArrayList<>();
        while (declared.find()) {
            String name = declared.group(1);
            if (test.indexOf(name + "(") < 0 && test.indexOf("F(" + name + ",") < 0) {
                untried.add(name);
            }
        }
        assertEquals(List.of(), untried);
    }

    private static String read(String name) throws IOException {
        return Files.readString(SOURCES.resolve(name));
    }
}
