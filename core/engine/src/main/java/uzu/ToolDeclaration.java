package uzu;

import java.util.Map;

/**
 * What the model is told of a tool.
 *
 * @param name letters and digits, and signs that no format of calls uses: {@code _ - . : / $ @}
 * @param description for the model; may be empty
 * @param parameters JSON schema of an object, as JSON text
 */
public record ToolDeclaration(String name, String description, String parameters) {
    private static final int LONGEST_NAME = 256;

    public ToolDeclaration {
        if (name.isBlank()) {
            throw new UzuException.InvalidArgument("a tool has no name", Map.of("field", "name"));
        }
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(ToolDeclaration::isMark)) {
            throw new UzuException.InvalidArgument(
                    "a tool can't be called " + name.substring(0, Math.min(name.length(), LONGEST_NAME))
                            + ": no white space, brackets, quotes, commas, bars or equals signs, and at most "
                            + LONGEST_NAME + " characters",
                    Map.of("field", "name"));
        }
    }

    /** What the formats of calls tell a name's end by. */
    private static boolean isMark(int c) {
        return c <= ' ' || c == 0x7F || "<>{}[]()\"'`\\|,=".indexOf(c) >= 0;
    }
}
