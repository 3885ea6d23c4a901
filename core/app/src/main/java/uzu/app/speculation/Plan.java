package uzu.app.speculation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.app.Arguments;

/**
 * What {@code bench speculation} was asked for.
 *
 * @param drafters variants by name
 * @param draft identifier of a draft model, or null
 * @param questions most of a task
 * @param tokens most of a reply
 * @param seconds after which no conversation is begun that would not end in time; 0: no limit
 * @param peer a program like tools/peer/llama_bench, or empty
 * @param measure whether anything is measured, or only the file reported
 * @param ids whether outputs are also compared token by token, which takes another round
 */
record Plan(
        List<String> models,
        List<Task> tasks,
        List<String> drafters,
        @Nullable String draft,
        int questions,
        int tokens,
        int threads,
        int seconds,
        String peer,
        boolean measure,
        boolean ids,
        String json,
        String markdown,
        String chart) {
    static Plan of(Arguments arguments) {
        List<String> models = arguments.positionals("MODEL");
        String data = arguments.option("data", "");
        Tasks all = new Tasks(data.isEmpty() ? null : Path.of(data));
        int questions = arguments.count("questions", 10);
        List<Task> tasks = new ArrayList<>();
        for (String name :
                arguments.option("tasks", String.join(",", Tasks.NAMES)).split(",", -1)) {
            tasks.add(all.named(name).some(questions));
        }
        String draft = arguments.option("draft");
        String usual = String.join(",", draft == null ? withoutDraft() : Variant.USUAL);
        List<String> drafters = List.of(arguments.option("drafters", usual).split(",", -1));
        drafters.forEach(name -> Variant.named(name, draft));
        Plan plan = new Plan(
                models,
                tasks,
                drafters,
                draft,
                questions,
                arguments.count("tokens", 256),
                arguments.count("threads", Runtime.getRuntime().availableProcessors()),
                Integer.parseInt(arguments.option("seconds", "0")),
                arguments.option("against", ""),
                arguments.yes("measure", true),
                arguments.yes("ids", false),
                arguments.option("json", ""),
                arguments.option("markdown", ""),
                arguments.option("chart", ""));
        arguments.finish();
        return plan;
    }

    private static List<String> withoutDraft() {
        return Variant.USUAL.stream()
                .filter(name -> !name.equals(Variant.DRAFT))
                .toList();
    }

    /** Those that occur. */
    List<Sampling> samplings() {
        return tasks.stream()
                .flatMap(task -> task.samplings().stream())
                .distinct()
                .toList();
    }

    List<Unit> units() {
        return Unit.of(tasks);
    }
}
