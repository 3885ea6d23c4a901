package uzu.app.speculation;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatSession;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.app.Arguments;
import uzu.app.TextTable;

/**
 * {@code bench speculation MODEL --equality N}: N replies of a real model with drafts and without, compared token by
 * token, or by text where passes shall not read all logits, such that each pair of ways to make one occurs
 * ({@link Trial}).
 */
final class EqualityBench {
    private static final String RESUMING = "Go on.";

    /** Tokens after which a reply is cancelled at the latest. */
    private static final int LATEST_CANCEL = 24;

    /** An idle model makes the screen of its readout, for which replies that follow each other leave no time. */
    private static final long MILLISECONDS_TO_SCREEN = 5000;

    /** What a character becomes of which only the beginning was said. */
    private static final String HALF_A_CHARACTER = "\uFFFD";

    private final String model;
    private final int tokens;
    private final int from;
    private final int seconds;
    private final long begun = System.nanoTime();
    private final List<Trial> trials;
    private final List<Question> questions;
    private final PrintStream out;
    private final List<Tally> tallies = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();
    private int byText;
    private int byLikeliest;

    /** What was seen of a drafter. */
    private static final class Tally {
        private final Variant variant;
        private int replies;
        private int tokens;
        private int drafted;
        private int accepted;

        Tally(Variant variant) {
            this.variant = variant;
        }

        void add(ChatReply reply) {
            replies++;
            tokens += count(reply);
            ChatReplySpeculatorStats stats = reply.stats().speculatorStats();
            drafted += stats == null ? 0 : stats.numTokensDrafted();
            accepted += stats == null ? 0 : stats.numTokensAccepted();
        }
    }

    EqualityBench(Arguments arguments, PrintStream out) {
        this.out = out;
        model = arguments.positional("MODEL");
        int count = arguments.count("equality", 1);
        tokens = arguments.count("tokens", 40);
        from = arguments.count("from", 1);
        seconds = arguments.count("seconds", 999_999_999);
        String draft = arguments.option("draft");
        Tasks tasks = new Tasks(Path.of(arguments.option("data", "")));
        arguments.finish();
        List<Question> all = new ArrayList<>();
        for (String name : Tasks.NAMES) {
            all.addAll(tasks.named(name).questions());
        }
        questions = new Task("all", all, List.of()).some(count).questions();
        addVariants(draft);
        trials = Trial.of(count, tallies.size());
    }

    /** Each drafter that the model has, and all together. */
    private void addVariants(@Nullable String draft) {
        List<Variant> variants = new ArrayList<>();
        try (OwnChat chat = new OwnChat(model, 1)) {
            for (String name : Variant.NAMES) {
                if (!name.equals(Variant.DRAFT) || draft != null) {
                    Variant variant = Variant.named(name, draft);
                    chat.refusal(variant)
                            .ifPresentOrElse(why -> out.println("left out: " + why), () -> variants.add(variant));
                }
            }
        }
        if (draft != null) {
            variants.add(Variant.all(variants));
        }
        variants.forEach(variant -> tallies.add(new Tally(variant)));
    }

    /** 0 when all replies were equal, 1 when some weren't, 3 when time was up before. */
    int run() {
        @Nullable OwnChat chat = null;
        String engine = "";
        int next = from - 1;
        try {
            for (; next < trials.size() && (System.nanoTime() - begun) / 1e9 < seconds; next++) {
                Trial trial = trials.get(next);
                if (chat == null || !trial.engine().equals(engine)) {
                    if (chat != null) {
                        chat.close();
                    }
                    engine = trial.engine();
                    chat = new OwnChat(model, trial.threads(), trial.cache());
                    calm();
                }
                compare(chat, trial);
            }
        } finally {
            if (chat != null) {
                chat.close();
            }
        }
        report(next);
        return !differences.isEmpty() ? 1 : next < trials.size() ? SpeculationBench.UNFINISHED : 0;
    }

    private static void calm() {
        try {
            Thread.sleep(MILLISECONDS_TO_SCREEN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }

    private void compare(OwnChat chat, Trial trial) {
        Tally tally = tallies.get(trial.drafter());
        Question question = questions.get(trial.number() % questions.size());
        ChatMessage asked = ChatMessage.user().withText(question.turns().getFirst());
        ChatReplyConfig config = ChatReplyConfig.create()
                .withSamplingMethod(trial.method())
                .withSeed((long) trial.number())
                .withTokenLimit(tokens);
        if (trial.hasLogprobs()) {
            config = config.withLogprobs(0);
        }
        try (ChatSession plain = chat.session(Variant.plain());
                ChatSession drafting = chat.session(tally.variant)) {
            ChatReply expected = plain.reply(List.of(asked), config).getFirst();
            if (!trial.isCancelled()) {
                equal(trial, expected, drafting.reply(List.of(asked), config).getFirst(), false);
                return;
            }
            ChatReply cut = cancelled(drafting, asked, config, new Random(trial.number()));
            equal(trial, expected, cut, true);
            List<ChatMessage> resumed = new ArrayList<>(drafting.messages());
            resumed.add(ChatMessage.user().withText(RESUMING));
            plain.reset();
            ChatReply next = plain.reply(resumed, config).getFirst();
            equal(
                    trial,
                    next,
                    drafting.reply(List.of(resumed.getLast()), config).getFirst(),
                    false);
        }
    }

    /** The reply as far as it had come when, after some tokens, it was cancelled. */
    private static ChatReply cancelled(ChatSession session, ChatMessage asked, ChatReplyConfig config, Random random) {
        int after = 1 + random.nextInt(LATEST_CANCEL);
        @Nullable ChatReply last = null;
        try (ChatSessionStream stream = session.replyWithStream(List.of(asked), config)) {
            for (ChatSessionStreamChunk chunk : stream) {
                if (chunk instanceof ChatSessionStreamChunk.Error error) {
                    throw error.error();
                }
                if (chunk instanceof ChatSessionStreamChunk.Replies replies) {
                    last = replies.replies().getFirst();
                    if (count(last) >= after) {
                        stream.cancelToken().cancel();
                    }
                }
            }
        }
        return Objects.requireNonNull(last, "a stream ended without a reply");
    }

    /** @param beginning whether {@code actual} may be the beginning of {@code expected} */
    private void equal(Trial trial, ChatReply expected, ChatReply actual, boolean beginning) {
        Tally tally = tallies.get(trial.drafter());
        tally.add(actual);
        byText += trial.hasLogprobs() ? 0 : 1;
        byLikeliest += trial.wantsLikeliestOnly() ? 1 : 0;
        boolean equal = beginning
                ? begins(expected, actual)
                : count(expected) == count(actual)
                        && tokens(expected).equals(tokens(actual))
                        && expected.message().equals(actual.message());
        if (!equal) {
            differences.add(tally.variant.name() + ", " + trial.title());
        }
    }

    private static boolean begins(ChatReply whole, ChatReply cut) {
        List<Integer> known = tokens(cut);
        return count(cut) <= count(whole)
                && tokens(whole).subList(0, known.size()).equals(known)
                && (!known.isEmpty() || said(whole).startsWith(said(cut).replaceFirst(HALF_A_CHARACTER + "$", "")));
    }

    private static String said(ChatReply reply) {
        return Objects.requireNonNullElse(reply.message().reasoning(), "")
                + Objects.requireNonNullElse(reply.message().text(), "");
    }

    private static int count(ChatReply reply) {
        return Objects.requireNonNullElse(reply.stats().tokensCountOutput(), 0);
    }

    /** None where they weren't asked for. */
    private static List<Integer> tokens(ChatReply reply) {
        return reply.logprobs().stream().map(TokenLogprob::token).toList();
    }

    /** @param end of what was compared */
    private void report(int end) {
        TextTable table = new TextTable("drafter", "replies", "tokens", "drafted", "accepted");
        for (Tally tally : tallies) {
            table.add(
                    tally.variant.name(),
                    Integer.toString(tally.replies),
                    Integer.toString(tally.tokens),
                    Integer.toString(tally.drafted),
                    Integer.toString(tally.accepted));
        }
        out.print(table.text());
        int missing = Trial.missingPairs(trials, tallies.size());
        out.printf(
                "prompts %d to %d of %d, in which %s; %s%n",
                from,
                end,
                trials.size(),
                missing == 0 ? "every pair of values occurs" : missing + " pairs of values don't occur",
                differences.isEmpty() ? "every reply is that of plain decoding" : "these replies differ:");
        differences.forEach(out::println);
        out.printf(
                "%d of the replies were made without log probabilities and compared by text and number of tokens; %d of "
                        + "these wanted the likeliest tokens only%n",
                byText, byLikeliest);
        if (end < trials.size()) {
            out.println("time is up; the others follow --from " + (end + 1));
        }
    }
}
