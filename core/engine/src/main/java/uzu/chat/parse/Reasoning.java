package uzu.chat.parse;

import java.util.List;

/**
 * How a model writes its reasoning.
 *
 * @param open what it starts with; the template may have written it at the prompt's end
 * @param close what ends it
 * @param forced what to write to end it from outside, as the model would: {@code close} in its usual white space
 */
public record Reasoning(String open, String close, String forced) {
    static final Reasoning THINK = new Reasoning("<think>", "</think>", "\n</think>\n\n");

    /** Those that a template's source is searched for, in this order. */
    static final List<Reasoning> KNOWN = List.of(
            THINK,
            tags("[THINK]", "[/THINK]"),
            tags("<seed:think>", "</seed:think>"),
            tags("<|START_THINKING|>", "<|END_THINKING|>"),
            tags("<|inner_prefix|>", "<|inner_suffix|>"));

    static Reasoning tags(String open, String close) {
        return new Reasoning(open, close, close);
    }
}
