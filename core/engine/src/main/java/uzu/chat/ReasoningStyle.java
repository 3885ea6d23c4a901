package uzu.chat;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.ReasoningEffort;
import uzu.UzuException;

/**
 * How a template is told whether and how long the model shall think: variables that change what it renders, found out by
 * rendering, or a word of the system message that its source looks for.
 *
 * @param efforts the variables for each effort that the template knows
 * @param switched whether the template can turn thinking on and off by a variable
 * @param offWord what turns it off in the system message; null: nothing there
 */
record ReasoningStyle(
        Map<ReasoningEffort, Map<String, Object>> efforts,
        boolean switched,
        @Nullable String offWord) {
    private static final String LEVEL = "reasoning_effort";
    /** Under which names templates take a level: most, Kimi K3, Muse. */
    private static final List<String> LEVEL_NAMES = List.of(LEVEL, "thinking_effort", "reasoning_strength");

    private static final String BUDGET = "thinking_budget";

    /** Variables and their values for on and off, the commoner ones first. */
    private record Switch(String name, Object on, Object off) {}

    private static final List<Switch> SWITCHES = List.of(
            new Switch("enable_thinking", true, false),
            new Switch("thinking", true, false),
            new Switch("thinking_mode", "enabled", "disabled"));

    /** Budgets in tokens, for templates that take one; as Seed-OSS was trained with. */
    private static final Map<ReasoningEffort, Integer> BUDGETS = Map.of(
            ReasoningEffort.DISABLED, 0,
            ReasoningEffort.LOW, 512,
            ReasoningEffort.MEDIUM, 2048,
            ReasoningEffort.HIGH, 8192);

    private static final List<ReasoningEffort> LEVELS =
            List.of(ReasoningEffort.LOW, ReasoningEffort.MEDIUM, ReasoningEffort.HIGH);

    static ReasoningStyle of(ChatTemplate template) {
        Map<ReasoningEffort, Map<String, Object>> efforts = new HashMap<>();
        efforts.put(ReasoningEffort.DEFAULT, Map.of());
        Switch known = null;
        for (Switch one : SWITCHES) {
            if (known == null && differs(template, Map.of(one.name, one.on), Map.of(one.name, one.off))) {
                known = one;
                efforts.put(ReasoningEffort.DISABLED, Map.of(one.name, one.off));
            }
        }
        if (takesBudget(template)) {
            BUDGETS.forEach((effort, tokens) -> efforts.putIfAbsent(effort, Map.of(BUDGET, tokens)));
        }
        addLevels(template, known, efforts);
        boolean off = efforts.containsKey(ReasoningEffort.DISABLED);
        boolean word =
                template.source().contains("'/no_think'") || template.source().contains("\"/no_think\"");
        return new ReasoningStyle(Map.copyOf(efforts), off, !off && word ? "/no_think" : null);
    }

    private static boolean takesBudget(ChatTemplate template) {
        return differs(template, Map.of(BUDGET, 0), Map.of(BUDGET, 512))
                && differs(template, Map.of(BUDGET, 512), Map.of(BUDGET, 8192));
    }

    private static void addLevels(
            ChatTemplate template, @Nullable Switch known, Map<ReasoningEffort, Map<String, Object>> efforts) {
        String variable = LEVEL_NAMES.stream()
                .filter(template.source()::contains)
                .findFirst()
                .orElse(LEVEL);
        for (ReasoningEffort level : LEVELS) {
            Map<String, Object> own = level(variable, level, known);
            if (LEVELS.stream().anyMatch(other -> differs(template, own, level(variable, other, known)))) {
                efforts.putIfAbsent(level, own);
            }
        }
        for (String none : List.of("no_think", "none")) {
            Map<String, Object> off = Map.of(variable, none);
            boolean named = template.source().contains("'" + none + "'")
                    || template.source().contains("\"" + none + "\"");
            if (named && differs(template, off, Map.of(variable, "high"))) {
                efforts.putIfAbsent(ReasoningEffort.DISABLED, off);
            }
        }
    }

    private static Map<String, Object> level(String variable, ReasoningEffort level, @Nullable Switch known) {
        String value = level.name().toLowerCase(Locale.ROOT);
        return known == null ? Map.of(variable, value) : Map.of(known.name, known.on, variable, value);
    }

    /** Whether both render, and not the same. */
    private static boolean differs(ChatTemplate template, Map<String, Object> one, Map<String, Object> other) {
        // Most templates know none of them, and rendering takes its time.
        if (one.keySet().stream().noneMatch(template.source()::contains)) {
            return false;
        }
        Map<String, Object> user = Map.of("role", "user", "content", "Hello");
        Map<String, Object> system = Map.of("role", "system", "content", "Be brief.");
        for (List<Map<String, Object>> messages : List.of(List.of(user), List.of(system, user))) {
            String first = render(template, messages, one);
            String second = render(template, messages, other);
            if (first != null && second != null && !first.equals(second)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String render(
            ChatTemplate template, List<Map<String, Object>> messages, Map<String, Object> variables) {
        try {
            return template.render(messages, List.of(), true, variables);
        } catch (UzuException.TemplateFailed refused) {
            return null;
        }
    }

    /** Whether the template knows a way to ask for more or less thinking. */
    boolean isKnown() {
        return efforts.size() > 1 || offWord != null;
    }
}
