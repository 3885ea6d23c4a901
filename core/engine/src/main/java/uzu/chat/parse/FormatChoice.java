package uzu.chat.parse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.tokenizer.Tokenizer;

/** Which format a template teaches. */
final class FormatChoice {
    static final String GENERIC = "generic";

    /**
     * A format and what tells it.
     *
     * @param marks all of them stand in the source of its templates
     */
    private record Known(String name, List<String> marks, Supplier<CallFormat> calls) {
        boolean isIn(String source) {
            return marks.stream().allMatch(source::contains);
        }
    }

    /** The special ones before those whose marks they also hold. */
    private static final List<Known> KNOWN = List.of(new Known("hermes", List.of("<tool_call>"), HermesCalls::new));

    private FormatChoice() {}

    static MessageFormat of(ChatTemplate template, Tokenizer tokenizer) {
        Reasoning reasoning = reasoning(template.source(), tokenizer);
        if (template.capabilities().tools()) {
            for (Known known : KNOWN) {
                if (known.isIn(template.source())) {
                    return new TaggedFormat(known.name, reasoning, known.calls.get());
                }
            }
        }
        return new TaggedFormat(GENERIC, reasoning, new GenericCalls());
    }

    static MessageFormat named(String name, ChatTemplate template, Tokenizer tokenizer) {
        Map<String, Supplier<CallFormat>> byName = new LinkedHashMap<>();
        byName.put(GENERIC, GenericCalls::new);
        KNOWN.forEach(known -> byName.put(known.name, known.calls));
        Supplier<CallFormat> calls = byName.get(name);
        if (calls == null) {
            throw new UzuException.InvalidArgument(
                    "there is no message format " + name + "; there are " + String.join(", ", byName.keySet()),
                    Map.of("field", "messageFormat", "value", name));
        }
        return new TaggedFormat(name, reasoning(template.source(), tokenizer), calls.get());
    }

    /** Tags that the template writes, or that are tokens of their own. */
    private static @Nullable Reasoning reasoning(String source, Tokenizer tokenizer) {
        for (Reasoning known : Reasoning.KNOWN) {
            boolean written = source.contains(known.open()) || source.contains(known.close());
            if (written || tokenizer.id(known.open()).isPresent()) {
                return known;
            }
        }
        return null;
    }
}
