package uzu.tokenizer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The regular expressions of tokenizers (Oniguruma's dialect) as Java's. */
final class Regex {
    private static final Pattern PROPERTY = Pattern.compile("\\\\([pP])\\{(\\^?)(\\w+)}");

    private Regex() {}

    /**
     * The flags give {@code \s}, {@code \w} and (?i) their Unicode meaning, and ^ and $ their places at line feeds.
     *
     * @throws IllegalArgumentException if Java cannot run the expression safely or understands it otherwise
     */
    static Pattern compile(String regex) {
        refuseWhatDiffers(regex);
        Matcher property = PROPERTY.matcher(regex);
        String translated = property.replaceAll(m -> Matcher.quoteReplacement(
                "\\" + (m.group(2).isEmpty() == m.group(1).equals("p") ? "p" : "P") + "{" + named(m.group(3)) + "}"));
        return Pattern.compile(
                translated,
                Pattern.UNICODE_CHARACTER_CLASS | Pattern.UNICODE_CASE | Pattern.MULTILINE | Pattern.UNIX_LINES);
    }

    private static String named(String property) {
        try {
            return "Is" + Character.UnicodeScript.forName(property);
        } catch (IllegalArgumentException e) {
            return property;
        }
    }

    /** Java recurses on each turn of a repeated group, and a long text would overflow the stack. */
    private static void refuseWhatDiffers(String regex) {
        int depth = 0;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            char next = i + 1 < regex.length() ? regex.charAt(i + 1) : 0;
            if (c == '\\') {
                if ("hHKOyYgk".indexOf(next) >= 0) {
                    throw new IllegalArgumentException("\\" + next);
                }
                i++;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && depth > 0) {
                depth--;
            } else if (c == ')' && depth == 0 && (next == '*' || next == '+' || next == '{')) {
                throw new IllegalArgumentException("repeated group");
            }
        }
    }
}
