package uzu.app;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** Words of a command line: {@code --name value} (or {@code --name=value}) and positional ones. */
public final class Arguments {
    private final Deque<String> positional = new ArrayDeque<>();
    private final Map<String, String> options = new HashMap<>();

    public Arguments(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("--")) {
                positional.add(word);
            } else if (word.indexOf('=') > 0) {
                options.put(word.substring(2, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            } else if (i + 1 < words.size()) {
                options.put(word.substring(2), words.get(++i));
            } else {
                throw new UzuException.InvalidArgument(word + " needs a value");
            }
        }
    }

    public String positional(String name) {
        String word = positional.poll();
        if (word == null) {
            throw new UzuException.InvalidArgument(name + " is missing");
        }
        return word;
    }

    /** All that are left, at least one. */
    public List<String> positionals(String name) {
        List<String> words = new ArrayList<>(List.of(positional(name)));
        words.addAll(positional);
        positional.clear();
        return words;
    }

    public @Nullable String option(String name) {
        return options.remove(name);
    }

    public String option(String name, String otherwise) {
        String value = options.remove(name);
        return value == null ? otherwise : value;
    }

    public boolean has(String name) {
        return options.containsKey(name);
    }

    /** A whole number of at least 1. */
    public int count(String name, int otherwise) {
        String value = option(name, String.valueOf(otherwise));
        if (!value.matches("[1-9]\\d{0,8}")) {
            throw new UzuException.InvalidArgument("--" + name + " needs a whole number from 1 on, not " + value);
        }
        return Integer.parseInt(value);
    }

    /** Whole numbers of at least 1 with commas between; none if the word is {@code none}. */
    public int[] counts(String name, String otherwise) {
        String value = option(name, otherwise);
        if (value.equals("none")) {
            return new int[0];
        }
        if (!value.matches("[1-9]\\d{0,5}(,[1-9]\\d{0,5})*")) {
            throw new UzuException.InvalidArgument(
                    "--" + name + " needs whole numbers with commas between, or none, not " + value);
        }
        return Arrays.stream(value.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    public boolean yes(String name, boolean otherwise) {
        String value = option(name, otherwise ? "yes" : "no");
        if (!value.equals("yes") && !value.equals("no")) {
            throw new UzuException.InvalidArgument("--" + name + " needs yes or no, not " + value);
        }
        return value.equals("yes");
    }

    /** A constant of an enum, in lower case. */
    public <E extends Enum<E>> E oneOf(String name, E otherwise) {
        String value = option(name, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        E[] constants = otherwise.getDeclaringClass().getEnumConstants();
        return Stream.of(constants)
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() -> new UzuException.InvalidArgument("--" + name + " " + value + ": not one of "
                        + Stream.of(constants)
                                .map(Enum::name)
                                .collect(Collectors.joining(", "))
                                .toLowerCase(Locale.ROOT)));
    }

    /** Refuses what no one asked for. */
    public void finish() {
        if (!options.isEmpty()) {
            throw new UzuException.InvalidArgument(
                    "unknown option --" + options.keySet().iterator().next());
        }
        if (!positional.isEmpty()) {
            throw new UzuException.InvalidArgument("unexpected argument " + positional.peek());
        }
    }
}
