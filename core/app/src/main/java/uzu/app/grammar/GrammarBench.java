package uzu.app.grammar;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSpeculationPreset;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.Grammar;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.app.Arguments;
import uzu.app.Models;
import uzu.app.TextTable;
import uzu.format.Gguf;
import uzu.tokenizer.Tokenizer;

/**
 * {@code bench grammar MODEL [--tasks 50] [--tokens 128] [--threads N] [--vocabulary FILE.gguf]}: a model answers tasks
 * in their schemas with speculation, and in free text without, in turns; then what compiling the schemas and masking
 * along these answers takes on the model's vocabulary, or on another.
 */
public final class GrammarBench {
    private static final long SEED = 7;

    private final PrintStream out;

    public GrammarBench(PrintStream out) {
        this.out = out;
    }

    public int run(Arguments arguments) {
        String name = arguments.positional("MODEL");
        String vocabulary = arguments.option("vocabulary", name);
        int count = Math.min(arguments.count("tasks", 50), 50);
        int tokens = arguments.count("tokens", 128);
        int threads = arguments.count("threads", 2);
        arguments.finish();
        List<GrammarTask> tasks = GrammarTask.all().subList(0, count);
        List<String> texts = replies(name, threads, tasks, tokens);
        try (Gguf file = Gguf.open(Models.path(vocabulary))) {
            Tokenizer tokenizer = Tokenizer.of(file.metadata());
            show(tokenizer, vocabulary, MaskTimes.measure(tokenizer, tasks, texts));
        }
        return 0;
    }

    private List<String> replies(String name, int threads, List<GrammarTask> tasks, int tokens) {
        List<String> texts = new ArrayList<>();
        double[] structured = new double[2];
        double[] free = new double[2];
        try (Engine engine = Engine.create(EngineConfig.create().withThreads(threads))) {
            Model model = engine.model(name);
            if (model == null) {
                throw new UzuException.ModelNotFound("no model is called " + name, Map.of("model", name));
            }
            ChatConfig drafts = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPreset.Auto());
            ChatConfig plain = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPreset.Off());
            try (ChatInstance loaded = engine.chatInstance(model, drafts)) {
                reply(engine, model, drafts, tasks.getFirst(), true, tokens, new double[2]);
                reply(engine, model, plain, tasks.getFirst(), false, tokens, new double[2]);
                for (GrammarTask task : tasks) {
                    texts.add(reply(engine, model, drafts, task, true, tokens, structured));
                    reply(engine, model, plain, task, false, tokens, free);
                }
            }
        }
        out.printf(
                "%s, %d tasks, %d threads: structured with speculation %.1f tokens/s, free without %.1f, ratio %.2f%n%n",
                name,
                tasks.size(),
                threads,
                structured[0] / structured[1],
                free[0] / free[1],
                structured[0] / structured[1] / (free[0] / free[1]));
        return texts;
    }

    /** @param sum tokens behind the first, and their seconds, added to */
    private static String reply(
            Engine engine,
            Model model,
            ChatConfig chat,
            GrammarTask task,
            boolean structured,
            int tokens,
            double[] sum) {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withSamplingMethod(new SamplingMethod.Greedy())
                .withSeed(SEED)
                .withTokenLimit(tokens)
                .withGrammar(structured ? new Grammar.JsonSchema(task.schema()) : null);
        List<ChatMessage> messages = List.of(ChatMessage.user().withText(task.prompt()));
        try (ChatSession session = engine.chat(model, chat)) {
            ChatReply reply;
            try {
                reply = session.reply(messages, config).getFirst();
            } catch (UzuException.GrammarDeadEnd tooFew) {
                int least = Integer.parseInt(
                        Objects.requireNonNullElse(tooFew.details().get("tokens"), "0"));
                reply = session.reply(messages, config.withTokenLimit(Math.max(least, tokens)))
                        .getFirst();
            }
            Integer drawn = reply.stats().tokensCountOutput();
            Double speed = reply.stats().generateTokensPerSecond();
            if (drawn != null && drawn > 1 && speed != null && speed > 0) {
                sum[0] += drawn - 1;
                sum[1] += (drawn - 1) / speed;
            }
            return Objects.requireNonNullElse(reply.message().text(), "");
        }
    }

    private void show(Tokenizer tokenizer, String name, MaskTimes times) {
        TextTable table =
                new TextTable("µs, " + tokenizer.size() + " tokens of " + name, "mean", "median", "99 %", "most");
        add(table, "compiling a schema", times.compile());
        add(table, times.first().length + " masks, seen for the first time", times.first());
        add(table, "the same again", times.again());
        out.println(table.text());
    }

    private static void add(TextTable table, String what, long[] nanoseconds) {
        long[] sorted = nanoseconds.clone();
        Arrays.sort(sorted);
        table.add(
                what,
                "%.1f".formatted(Arrays.stream(sorted).average().orElse(0) / 1e3),
                "%.1f".formatted(sorted[sorted.length / 2] / 1e3),
                "%.1f".formatted(sorted[sorted.length * 99 / 100] / 1e3),
                "%.1f".formatted(sorted[sorted.length - 1] / 1e3));
    }
}
