package uzu.format;

import org.jspecify.annotations.Nullable;

/** What GGUF files may hold and this engine doesn't read, by name, so that a refusal says what it refuses. */
final class GgmlTypeNames {
    private GgmlTypeNames() {}

    static @Nullable String of(int number) {
        return switch (number) {
            case 4 -> "Q4_2";
            case 5 -> "Q4_3";
            case 9 -> "Q8_1";
            case 15 -> "Q8_K";
            case 16 -> "IQ2_XXS";
            case 17 -> "IQ2_XS";
            case 18 -> "IQ3_XXS";
            case 19 -> "IQ1_S";
            case 20 -> "IQ4_NL";
            case 21 -> "IQ3_S";
            case 22 -> "IQ2_S";
            case 23 -> "IQ4_XS";
            case 24 -> "I8";
            case 25 -> "I16";
            case 26 -> "I32";
            case 27 -> "I64";
            case 28 -> "F64";
            case 29 -> "IQ1_M";
            case 34 -> "TQ1_0";
            case 35 -> "TQ2_0";
            case 39 -> "MXFP4";
            case 40 -> "NVFP4";
            case 41 -> "Q1_0";
            default -> null;
        };
    }
}
