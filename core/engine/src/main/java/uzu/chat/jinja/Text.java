package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Strings as Python counts and cuts them: by code points, with its notion of spaces and lines. */
final class Text {
    private Text() {}

    static boolean isSpace(int c) {
        return c == ' '
                || (c >= 0x09 && c <= 0x0d)
                || (c >= 0x1c && c <= 0x1f)
                || c == 0x85
                || c == 0xa0
                || (c >= 0x1680 && Character.isSpaceChar(c));
    }

    static boolean isBlank(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (!isSpace(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Code points {@code from} to {@code to}, both within the string. */
    static String slice(String text, int from, int to) {
        int start = text.offsetByCodePoints(0, from);
        return text.substring(start, text.offsetByCodePoints(start, to - from));
    }

    static String strip(String text, @Nullable String characters) {
        return stripStart(stripEnd(text, characters), characters);
    }

    static String stripStart(String text, @Nullable String characters) {
        IntPredicate stripped = stripped(characters);
        int start = 0;
        while (start < text.length() && stripped.test(text.codePointAt(start))) {
            start += Character.charCount(text.codePointAt(start));
        }
        return text.substring(start);
    }

    static String stripEnd(String text, @Nullable String characters) {
        IntPredicate stripped = stripped(characters);
        int end = text.length();
        while (end > 0 && stripped.test(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(0, end);
    }

    private static IntPredicate stripped(@Nullable String characters) {
        return characters == null ? Text::isSpace : c -> characters.indexOf(c) >= 0;
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int end = text.offsetByCodePoints(0, 1);
        return titled(text.substring(0, end))
                + lower(text).substring(lower(text.substring(0, end)).length());
    }

    private static String titled(String character) {
        int c = character.codePointAt(0);
        int title = Character.toTitleCase(c);
        // Characters like ß have no single title case: theirs is the upper case, of which only the first stays large.
        String upper = upper(character);
        if (title == c && upper.length() > character.length()) {
            return upper.charAt(0) + lower(upper.substring(1));
        }
        return Character.toString(title);
    }

    /** {@code str.title()}: every run of letters starts large. */
    static String title(String text) {
        var title = new StringBuilder(text.length());
        boolean inWord = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            String character = Character.toString(c);
            title.append(inWord ? lower(character) : titled(character));
            inWord = isCased(c);
            i += Character.charCount(c);
        }
        return title.toString();
    }

    static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    static String swapCase(String text) {
        var swapped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            String character = Character.toString(c);
            swapped.append(Character.isUpperCase(c) ? lower(character) : upper(character));
        });
        return swapped.toString();
    }

    /** Whether there are cased characters and all of them are of the wanted case. */
    static boolean isAll(String text, boolean upperCase) {
        boolean any = text.codePoints().anyMatch(Text::isCased);
        return any
                && text.codePoints()
                        .filter(Text::isCased)
                        .allMatch(c -> upperCase ? Character.isUpperCase(c) : Character.isLowerCase(c));
    }

    static String replace(String text, String old, String replacement, int count, Budget budget) {
        if (count == 0 || !text.contains(old)) {
            return text;
        }
        budget.copy(text.length());
        var result = new Output(budget);
        int left = count < 0 ? Integer.MAX_VALUE : count;
        int position = 0;
        if (old.isEmpty()) {
            for (; left > 0 && position < text.length(); left--) {
                result.append(replacement).appendCodePoint(text.codePointAt(position));
                position += Character.charCount(text.codePointAt(position));
            }
            return result.append(left > 0 ? replacement : "")
                    .append(text.substring(position))
                    .toString();
        }
        for (int found = text.indexOf(old); found >= 0 && left > 0; found = text.indexOf(old, position), left--) {
            result.append(text.substring(position, found)).append(replacement);
            position = found + old.length();
        }
        return result.append(text.substring(position)).toString();
    }

    /** Split at {@code separator}, or at runs of spaces if there is none; at most {@code max} times unless negative. */
    static List<Object> split(String text, @Nullable String separator, int max, Budget budget) {
        budget.copy(text.length());
        var parts = new ArrayList<Object>();
        int left = max < 0 ? Integer.MAX_VALUE : max;
        if (separator == null) {
            splitWords(text, left, parts);
        } else {
            refuseEmpty(separator);
            int position = 0;
            for (int end = text.indexOf(separator); end >= 0 && left > 0; left--) {
                parts.add(text.substring(position, end));
                position = end + separator.length();
                end = text.indexOf(separator, position);
            }
            parts.add(text.substring(position));
        }
        budget.list(parts.size());
        return parts;
    }

    private static void splitWords(String text, int max, List<Object> parts) {
        int left = max;
        for (int position = spaces(text, 0); position < text.length(); left--) {
            int end = left > 0 ? word(text, position) : text.length();
            parts.add(text.substring(position, end));
            position = spaces(text, end);
        }
    }

    private static void refuseEmpty(String separator) {
        if (separator.isEmpty()) {
            throw new TemplateError("empty separator");
        }
    }

    private static int spaces(String text, int from) {
        int at = from;
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int word(String text, int from) {
        int at = from;
        while (at < text.length() && !isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** As {@link #split}, from the right. */
    static List<Object> splitRight(String text, @Nullable String separator, int max, Budget budget) {
        if (max < 0) {
            return split(text, separator, max, budget);
        }
        budget.copy(text.length());
        var parts = new ArrayList<Object>();
        if (separator == null) {
            splitWordsRight(text, max, parts);
        } else {
            refuseEmpty(separator);
            int end = text.length();
            for (int left = max; left > 0; left--) {
                int found = text.lastIndexOf(separator, end - separator.length());
                if (found < 0 || end < separator.length()) {
                    break;
                }
                parts.add(text.substring(found + separator.length(), end));
                end = found;
            }
            parts.add(text.substring(0, end));
        }
        budget.list(parts.size());
        return new ArrayList<>(parts.reversed());
    }

    private static void splitWordsRight(String text, int max, List<Object> parts) {
        int left = max;
        for (int end = stripEnd(text, null).length(); end > 0; left--) {
            int start = left > 0 ? end : 0;
            while (start > 0 && !isSpace(text.charAt(start - 1))) {
                start--;
            }
            parts.add(text.substring(start, end));
            end = stripEnd(text.substring(0, start), null).length();
        }
    }

    static List<Object> lines(String text, boolean keepEnds, Budget budget) {
        budget.copy(text.length());
        var lines = new ArrayList<Object>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && !isLineEnd(text.charAt(end))) {
                end++;
            }
            int next = end + (text.startsWith("\r\n", end) ? 2 : end < text.length() ? 1 : 0);
            lines.add(text.substring(start, keepEnds ? next : end));
            start = next;
        }
        budget.list(lines.size());
        return lines;
    }

    private static boolean isLineEnd(char c) {
        return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    static String repeat(String text, int times, Budget budget) {
        int count = Math.max(0, times);
        budget.text((long) text.length() * count);
        return text.repeat(count);
    }

    /** Padded to {@code width} code points; {@code left} of the padding goes before the text. */
    static String pad(String text, int width, String fill, char align, Budget budget) {
        int padding = Math.max(0, width - length(text));
        if (padding == 0) {
            return text;
        }
        int before = switch (align) {
            case '<' -> 0;
            case '>' -> padding;
            default -> padding / 2;
        };
        return repeat(fill, before, budget) + text + repeat(fill, padding - before, budget);
    }
}
