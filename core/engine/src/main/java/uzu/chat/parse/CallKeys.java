package uzu.chat.parse;

import java.util.Set;

/**
 * The keys of a call that is written as a JSON object.
 *
 * @param name empty: the object has one key, the tool's name, whose value is the arguments
 * @param identifier empty: the format has no identifiers
 */
record CallKeys(Set<String> name, Set<String> arguments, Set<String> identifier) {
    static final CallKeys USUAL = new CallKeys(Set.of("name"), Set.of("arguments", "parameters"), Set.of());

    static final CallKeys WITH_IDENTIFIER =
            new CallKeys(Set.of("name"), Set.of("arguments", "parameters"), Set.of("id"));

    boolean isName(String key) {
        return name.contains(key);
    }

    boolean isArguments(String key) {
        return name.isEmpty() || arguments.contains(key);
    }

    boolean isIdentifier(String key) {
        return identifier.contains(key);
    }
}
