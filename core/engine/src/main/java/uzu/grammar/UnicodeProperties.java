package uzu.grammar;

import java.util.BitSet;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Sets of characters by the names that ECMA 262 takes from Unicode, with the values that this JDK knows. */
final class UnicodeProperties {
    private static final Map<String, String> CATEGORIES = Map.ofEntries(
            Map.entry("Letter", "L"),
            Map.entry("Cased_Letter", "LC"),
            Map.entry("Uppercase_Letter", "Lu"),
            Map.entry("Lowercase_Letter", "Ll"),
            Map.entry("Titlecase_Letter", "Lt"),
            Map.entry("Modifier_Letter", "Lm"),
            Map.entry("Other_Letter", "Lo"),
            Map.entry("Mark", "M"),
            Map.entry("Combining_Mark", "M"),
            Map.entry("Nonspacing_Mark", "Mn"),
            Map.entry("Spacing_Mark", "Mc"),
            Map.entry("Enclosing_Mark", "Me"),
            Map.entry("Number", "N"),
            Map.entry("Decimal_Number", "Nd"),
            Map.entry("digit", "Nd"),
            Map.entry("Letter_Number", "Nl"),
            Map.entry("Other_Number", "No"),
            Map.entry("Punctuation", "P"),
            Map.entry("punct", "P"),
            Map.entry("Connector_Punctuation", "Pc"),
            Map.entry("Dash_Punctuation", "Pd"),
            Map.entry("Open_Punctuation", "Ps"),
            Map.entry("Close_Punctuation", "Pe"),
            Map.entry("Initial_Punctuation", "Pi"),
            Map.entry("Final_Punctuation", "Pf"),
            Map.entry("Other_Punctuation", "Po"),
            Map.entry("Symbol", "S"),
            Map.entry("Math_Symbol", "Sm"),
            Map.entry("Currency_Symbol", "Sc"),
            Map.entry("Modifier_Symbol", "Sk"),
            Map.entry("Other_Symbol", "So"),
            Map.entry("Separator", "Z"),
            Map.entry("Space_Separator", "Zs"),
            Map.entry("Line_Separator", "Zl"),
            Map.entry("Paragraph_Separator", "Zp"),
            Map.entry("Other", "C"),
            Map.entry("Control", "Cc"),
            Map.entry("cntrl", "Cc"),
            Map.entry("Format", "Cf"),
            Map.entry("Private_Use", "Co"),
            Map.entry("Unassigned", "Cn"));

    /** The short names of categories by {@link Character#getType(int)}. */
    private static final String[] TYPES = {
        "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf", "", "Co",
        "Cs", "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf"
    };

    private UnicodeProperties() {}

    /** @param name {@code Name} or {@code Name=Value}; null for one that isn't known */
    static @Nullable CodePoints named(String name) {
        int equals = name.indexOf('=');
        if (equals < 0) {
            CodePoints category = category(name);
            return category != null ? category : binary(name);
        }
        String value = name.substring(equals + 1);
        return switch (name.substring(0, equals)) {
            case "General_Category", "gc" -> category(value);
            case "Script", "sc" -> script(value);
            default -> null;
        };
    }

    /** With every character those that differ from it in case only. */
    static CodePoints closedOverCase(CodePoints set) {
        BitSet folded = new BitSet();
        for (int i = 0; i < set.size(); i++) {
            for (int c = set.first(i); c <= set.last(i); c++) {
                folded.set(folded(c));
            }
        }
        return set.or(CodePoints.where(c -> folded.get(folded(c))));
    }

    private static int folded(int character) {
        return Character.toLowerCase(Character.toUpperCase(character));
    }

    private static @Nullable CodePoints category(String name) {
        String code = CATEGORIES.getOrDefault(name, name);
        if (code.equals("LC")) {
            return CodePoints.where(c -> "Lu Ll Lt".contains(type(c)));
        }
        boolean known = false;
        for (String type : TYPES) {
            known |= !type.isEmpty() && type.startsWith(code);
        }
        return known && !code.isEmpty() ? CodePoints.where(c -> type(c).startsWith(code)) : null;
    }

    private static String type(int character) {
        return TYPES[Character.getType(character)];
    }

    private static @Nullable CodePoints script(String name) {
        try {
            Character.UnicodeScript script = Character.UnicodeScript.forName(name);
            return CodePoints.where(c -> Character.UnicodeScript.of(c) == script);
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    private static @Nullable CodePoints binary(String name) {
        IntPredicate holds = switch (name) {
            case "Any" -> c -> true;
            case "ASCII" -> c -> c < 0x80;
            case "Assigned" -> Character::isDefined;
            case "Alphabetic", "Alpha" -> Character::isAlphabetic;
            case "Lowercase", "Lower" -> Character::isLowerCase;
            case "Uppercase", "Upper" -> Character::isUpperCase;
            case "White_Space", "space" -> c -> c >= 9 && c <= 13 || c == 0x85 || type(c).startsWith("Z");
            case "ASCII_Hex_Digit", "AHex" -> c -> c < 0x80 && Character.digit(c, 16) >= 0;
            case "Ideographic", "Ideo" -> Character::isIdeographic;
            case "ID_Start", "IDS" -> c -> Character.isUnicodeIdentifierStart(c);
            case "ID_Continue", "IDC" ->
                c -> Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
            case "Emoji" -> Character::isEmoji;
            case "Emoji_Presentation", "EPres" -> Character::isEmojiPresentation;
            case "Emoji_Modifier", "EMod" -> Character::isEmojiModifier;
            case "Emoji_Modifier_Base", "EBase" -> Character::isEmojiModifierBase;
            case "Emoji_Component", "EComp" -> Character::isEmojiComponent;
            case "Extended_Pictographic", "ExtPict" -> Character::isExtendedPictographic;
            default -> null;
        };
        return holds == null ? null : CodePoints.where(holds);
    }
}
