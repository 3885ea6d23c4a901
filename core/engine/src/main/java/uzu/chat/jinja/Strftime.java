package uzu.chat.jinja;

import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * C's {@code strftime} in the C locale, with glibc's flags ({@code -} no padding, {@code _} spaces, {@code 0} zeros,
 * {@code ^} capitals, {@code #} other case) and Python's {@code %f}. The time is what {@code datetime.now()} gives, a
 * time without a zone, for which Python writes {@code %z} and {@code %Z} as nothing.
 */
final class Strftime {
    private final ZonedDateTime time;
    private final Output output;
    private final Budget budget;
    private char flag;
    private boolean capitals;
    private boolean otherCase;
    private int width;

    Strftime(ZonedDateTime time, Budget budget) {
        this.time = time;
        this.budget = budget;
        this.output = new Output(budget);
    }

    String format(String format) {
        write(format);
        return output.toString();
    }

    private void write(String format) {
        int position = 0;
        while (position < format.length()) {
            char c = format.charAt(position++);
            if (c != '%') {
                output.append(c);
                continue;
            }
            int start = position;
            flag = 0;
            capitals = false;
            otherCase = false;
            while (position < format.length() && "-_0^#".indexOf(format.charAt(position)) >= 0) {
                char mark = format.charAt(position++);
                capitals |= mark == '^';
                otherCase |= mark == '#';
                flag = mark == '^' || mark == '#' ? flag : mark;
            }
            width = 0;
            while (position < format.length() && Character.digit(format.charAt(position), 10) >= 0 && width < 1_000) {
                width = width * 10 + Character.digit(format.charAt(position++), 10);
            }
            if (position < format.length() && "EO".indexOf(format.charAt(position)) >= 0) {
                position++;
            }
            if (position >= format.length() || !directive(format.charAt(position))) {
                output.append('%').append(format.substring(start, Math.min(position + 1, format.length())));
            }
            position++;
        }
    }

    private boolean directive(char directive) {
        switch (directive) {
            case 'a' -> name(time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
            case 'A' -> name(time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
            case 'b', 'h' -> name(time.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
            case 'B' -> name(time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
            case 'c' -> composite("%a %b %e %H:%M:%S %Y");
            case 'C' -> number(Math.floorDiv(time.getYear(), 100), 2, '0');
            case 'd' -> number(time.getDayOfMonth(), 2, '0');
            case 'D', 'x' -> composite("%m/%d/%y");
            case 'e' -> number(time.getDayOfMonth(), 2, ' ');
            case 'f' -> output.append(String.format("%06d", time.getNano() / 1_000));
            case 'F' -> composite("%Y-%m-%d");
            case 'g' -> number(Math.floorMod(time.get(IsoFields.WEEK_BASED_YEAR), 100), 2, '0');
            case 'G' -> number(time.get(IsoFields.WEEK_BASED_YEAR), 1, '0');
            case 'H' -> number(time.getHour(), 2, '0');
            case 'I' -> number(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, '0');
            case 'j' -> number(time.getDayOfYear(), 3, '0');
            case 'k' -> number(time.getHour(), 2, ' ');
            case 'l' -> number(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, ' ');
            case 'm' -> number(time.getMonthValue(), 2, '0');
            case 'M' -> number(time.getMinute(), 2, '0');
            case 'n' -> output.append('\n');
            case 'p' -> halfOfDay();
            case 'P' -> name(time.getHour() < 12 ? "am" : "pm");
            case 'r' -> composite("%I:%M:%S %p");
            case 'R' -> composite("%H:%M");
            case 's' -> number(time.toEpochSecond(), 1, '0');
            case 'S' -> number(time.getSecond(), 2, '0');
            case 't' -> output.append('\t');
            case 'T', 'X' -> composite("%H:%M:%S");
            case 'u' -> number(time.getDayOfWeek().getValue(), 1, '0');
            case 'U' -> number((time.getDayOfYear() + 6 - weekday()) / 7, 2, '0');
            case 'V' -> number(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, '0');
            case 'w' -> number(weekday(), 1, '0');
            case 'W' -> number((time.getDayOfYear() + 6 - Math.floorMod(weekday() - 1, 7)) / 7, 2, '0');
            case 'y' -> number(Math.floorMod(time.getYear(), 100), 2, '0');
            case 'Y' -> number(time.getYear(), 1, '0');
            case 'z', 'Z' -> {}
            case '%' -> output.append('%');
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Days since Sunday. */
    private int weekday() {
        return time.getDayOfWeek().getValue() % 7;
    }

    private void halfOfDay() {
        String half = time.getHour() < 12 ? "AM" : "PM";
        padded(otherCase ? Text.lower(half) : half, ' ');
    }

    private void name(String name) {
        padded(capitals || otherCase ? Text.upper(name) : name, ' ');
    }

    private void composite(String format) {
        boolean large = capitals;
        int wanted = width;
        char fill = flag;
        String text = new Strftime(time, budget).format(format);
        width = wanted;
        flag = fill;
        padded(large ? Text.upper(text) : text, ' ');
    }

    private void padded(String text, char fill) {
        output.append(Text.pad(text, width, flag == '0' ? "0" : String.valueOf(fill), '>', budget));
    }

    private void number(long number, int digits, char fill) {
        String fillWith = flag == '_' ? " " : flag == '0' ? "0" : String.valueOf(fill);
        output.append(
                flag == '-'
                        ? Long.toString(number)
                        : Text.pad(Long.toString(number), Math.max(width, digits), fillWith, '>', budget));
    }
}
