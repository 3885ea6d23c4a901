package uzu.format;

import java.nio.ByteBuffer;
import java.util.Locale;

/** A value of a GGUF file's metadata. */
sealed interface GgufValue {
    record Text(String value) implements GgufValue {}

    record Bool(boolean value) implements GgufValue {}

    /** Any integer type; {@code unsigned64} when the bits are those of an unsigned 64-bit number. */
    record Whole(long value, boolean unsigned64) implements GgufValue {}

    record Real(double value) implements GgufValue {}

    /**
     * An array, left encoded until it is asked for: a vocabulary has hundreds of thousands of strings.
     *
     * @param type the elements' type
     * @param count number of elements
     * @param bytes the elements as the file has them, checked to hold {@code count} of them
     */
    record Array(GgufType type, int count, ByteBuffer bytes) implements GgufValue {}

    /** The value's type in words, for error messages. */
    default String kind() {
        return switch (this) {
            case Text text -> "a string";
            case Bool bool -> "a bool";
            case Whole whole -> "an integer";
            case Real real -> "a float";
            case Array array -> "an array of " + array.type().name().toLowerCase(Locale.ROOT);
        };
    }
}
