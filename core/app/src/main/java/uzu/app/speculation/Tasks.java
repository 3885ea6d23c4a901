package uzu.app.speculation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

/**
 * The tasks by name. MT-Bench and HumanEval are read from the folder that tools/tools has fetched them into; the others
 * are about texts of this package.
 */
record Tasks(@Nullable Path data) {
    static final List<String> NAMES = List.of("mt-bench", "humaneval", "summary", "edit", "copy", "records", "random");

    private static final List<Sampling> BOTH = List.of(Sampling.GREEDY, Sampling.WARM);
    private static final int COPIED_PARAGRAPHS = 4;
    private static final int RANDOM_QUESTIONS = 8;
    private static final int RANDOM_WORDS = 60;

    Task named(String name) {
        return switch (name) {
            case "mt-bench" -> new Task(name, mtBench(), BOTH);
            case "humaneval" -> new Task(name, humanEval(), BOTH);
            case "summary" -> new Task(name, summary(), BOTH);
            case "edit" -> new Task(name, edit(), BOTH);
            case "copy" -> new Task(name, copy(), BOTH);
            case "records" -> new Task(name, records(), BOTH);
            case "random" -> new Task(name, random(), List.of(Sampling.RANDOM));
            default ->
                throw new UzuException.InvalidArgument(
                        "--tasks " + name + ": not one of " + String.join(", ", NAMES), Map.of("field", "tasks"));
        };
    }

    private List<Question> mtBench() {
        return lines("mt-bench/mt_bench/question.jsonl", line -> {
            List<String> turns = new ArrayList<>();
            line.path("turns").forEach(turn -> turns.add(turn.asString()));
            return new Question(line.path("question_id").asString(), turns);
        });
    }

    private List<Question> humanEval() {
        return lines(
                "humaneval/data/HumanEval.jsonl.gz",
                line -> new Question(
                        line.path("task_id").asString(),
                        "Complete the following Python function:\n\n```python\n"
                                + line.path("prompt").asString() + "```"));
    }

    private static List<Question> summary() {
        String text = resource("railway.txt");
        return List.of(
                new Question("summarise", "Summarise the following text in about 150 words.\n\n" + text),
                new Question(
                        "extract",
                        "Copy the first sentence of each paragraph of the following text, word by word.\n\n" + text),
                new Question(
                        "quote",
                        text + "\nWhat happened in 1954, and why was the line not closed in 1974? Answer with"
                                + " quotations from the text."));
    }

    private static List<Question> edit() {
        String text = resource("railway.txt");
        String code = "```python\n" + resource("ledger.py") + "```";
        return List.of(
                new Question(
                        "rename a person",
                        "Repeat the following text word by word, but replace the name Hartmann by Keller everywhere."
                                + " Answer with the text only.\n\n" + text),
                new Question(
                        "rename a class",
                        "Rename the class Ledger to Journal in the following Python module. Answer with the whole"
                                + " module only.\n\n" + code),
                new Question(
                        "add a method",
                        "Add a method close(name) to the class Ledger in the following Python module, which removes"
                                + " an account. Answer with the whole module only.\n\n" + code));
    }

    /** Chosen among seven such prompts: small models copy these too. */
    private static List<Question> copy() {
        String[] paragraphs = resource("railway.txt").split("\n\n");
        String text = String.join("\n\n", List.of(paragraphs).subList(0, COPIED_PARAGRAPHS));
        return List.of(
                new Question(
                        "correct a word",
                        "Fix the typo in the following text and repeat it word by word.\n\n"
                                + text.replaceFirst("railway", "raylway")),
                new Question(
                        "change a name",
                        "Write the following list again, exactly as it is, but change the first name to Anna.\n\n"
                                + resource("members.txt").replaceFirst("Anna", "Berta")));
    }

    private static List<Question> records() {
        return List.of(
                new Question(
                        "members",
                        resource("members.txt")
                                + "\nWrite all members as a JSON array of objects with the keys name, age, profession,"
                                + " town, member_since and paid_euros. Answer with JSON only."),
                new Question(
                        "years",
                        resource("railway.txt")
                                + "\nWrite all years that the text mentions as a JSON array of objects with the keys"
                                + " year and event. Answer with JSON only."));
    }

    private static List<Question> random() {
        List<Question> questions = new ArrayList<>();
        for (int seed = 0; seed < RANDOM_QUESTIONS; seed++) {
            Random random = new Random(seed);
            StringBuilder words = new StringBuilder("Go on:");
            for (int word = 0; word < RANDOM_WORDS; word++) {
                words.append(' ');
                for (int letter = random.nextInt(2, 9); letter > 0; letter--) {
                    words.append((char) ('a' + random.nextInt(26)));
                }
            }
            questions.add(new Question("seed " + seed, words.toString()));
        }
        return questions;
    }

    private List<Question> lines(String file, Function<JsonNode, Question> question) {
        if (data == null) {
            throw new UzuException.InvalidArgument(
                    "MT-Bench and HumanEval need --data FOLDER, which tools/tools says", Map.of("field", "data"));
        }
        Path path = data.resolve(file);
        JsonMapper json = new JsonMapper();
        List<Question> questions = new ArrayList<>();
        try (InputStream bytes = Files.newInputStream(path);
                InputStream text = file.endsWith(".gz") ? new GZIPInputStream(bytes) : bytes) {
            new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> questions.add(question.apply(json.readTree(line))));
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(path + " can't be read: " + e, Map.of("path", path.toString()), e);
        }
        return questions;
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Tasks.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
