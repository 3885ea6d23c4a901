package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.CancelToken;
import uzu.KvCache;
import uzu.SamplingMethod.Stochastic;
import uzu.TokenLogprob;
import uzu.backend.Logits;
import uzu.speculate.Constraint;
import uzu.speculate.Drafter;
import uzu.speculate.FixedValues;
import uzu.speculate.Lookup;
import uzu.speculate.Speculation;

/** Whatever drafts, samples, limits or stops a reply: with drafts it is, token for token, the one without. */
@Timeout(300)
class SpeculatedRepliesTest extends ToyConversations {
    private static final int REPLIES = 200;
    /** What drafters may know beforehand. */
    private record Known(List<List<Integer>> texts, int promptLength, long seed, SmallTarget target) {}

    private interface Maker {
        Drafter of(Known known);
    }

    private static final List<Maker> DRAFTERS = List.of(
            known -> new Lookup(),
            known -> TextDrafters.recall(known.texts(), known.promptLength()),
            known -> TextDrafters.tables(known.texts()),
            SpeculatedRepliesTest::values,
            known -> Guesser.knowing(known::texts, 0, known.seed()),
            known -> Guesser.knowing(known::texts, 0.5, known.seed()),
            known -> Guesser.knowing(known::texts, 0.9, known.seed()),
            known -> known.target().draftModel(),
            known -> known.target().block(),
            known -> known.target().network());
    private static final int BLOCK = 8;
    private static final int NETWORK = 9;
    private static final int ALL = DRAFTERS.size();

    private static final List<String> PROMPTS = List.of(
            "To be, or not to be, that is the question: whether 'tis nobler in the mind to suffer",
            "abcabcabcabcabcabcabcabc",
            "x",
            "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    return a",
            "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Zwölf Box");

    private static final List<Stochastic> PENALTIES = List.of(
            Stochastic.create(),
            Stochastic.create().withRepetitionPenalty(1.3),
            Stochastic.create().withRepetitionPenalty(1.3).withSuffixRepetitionLength(6),
            Stochastic.create().withPresencePenalty(0.7),
            Stochastic.create().withFrequencyPenalty(0.4),
            Stochastic.create()
                    .withRepetitionPenalty(1.1)
                    .withPresencePenalty(-0.5)
                    .withFrequencyPenalty(0.3));

    private enum Column {
        FAMILY(5),
        THREADS(2),
        CACHE(KvCache.values().length),
        MOST_ROWS(2),
        DRAFTER(ALL + 1),
        NODES(3),
        TEMPERATURE(3),
        TOP_K(3),
        TOP_P(2),
        MIN_P(2),
        PENALTY(PENALTIES.size()),
        BIAS(2),
        LOGPROBS(2),
        STOP(2),
        LIMIT(3),
        AT_ONCE(2),
        PROMPT(5);

        private final int values;

        Column(int values) {
            this.values = values;
        }

        int of(int[] row) {
            return row[ordinal()];
        }
    }

    private static boolean excluded(int column, int value, int other, int otherValue) {
        if (column == Column.FAMILY.ordinal()) {
            String family = SmallTarget.FAMILIES.get(value);
            return other == Column.CACHE.ordinal() && !SmallTarget.fits(family, KvCache.values()[otherValue])
                    || other == Column.DRAFTER.ordinal()
                            && (otherValue == BLOCK && !SmallTarget.hasBlock(family)
                                    || otherValue == NETWORK && !SmallTarget.hasNetwork(family));
        }
        return column == Column.CACHE.ordinal()
                && other == Column.DRAFTER.ordinal()
                && (otherValue == BLOCK || otherValue == NETWORK)
                && SmallTarget.isQuantised(KvCache.values()[value]);
    }

    @Test
    void draftsChangeNothing() {
        int[] sizes = Arrays.stream(Column.values()).mapToInt(c -> c.values).toArray();
        List<int[]> rows = new ArrayList<>(CoveringArray.of(REPLIES, SpeculatedRepliesTest::excluded, sizes));
        rows.sort(Comparator.comparing(SpeculatedRepliesTest::model));
        int accepted = 0;
        for (int from = 0; from < rows.size(); ) {
            int to = from;
            while (to < rows.size() && model(rows.get(to)).equals(model(rows.get(from)))) {
                to++;
            }
            try (Subject subject = new Subject(rows.get(from))) {
                for (int[] row : rows.subList(from, to)) {
                    accepted += compare(subject, row);
                }
            }
            from = to;
        }
        assertTrue(accepted > 10 * REPLIES, accepted + " drafted tokens accepted");
    }

    /** All together are the others, and what the target has of networks. */
    private static List<Drafter> drafters(Known known, int chosen) {
        if (chosen < ALL) {
            return List.of(DRAFTERS.get(chosen).of(known));
        }
        List<Drafter> drafters = new ArrayList<>();
        DRAFTERS.subList(0, BLOCK - 1).forEach(maker -> drafters.add(maker.of(known)));
        drafters.addAll(known.target().drafters());
        return drafters;
    }

    private static String model(int[] row) {
        return Arrays.toString(Arrays.copyOf(row, Column.DRAFTER.ordinal()));
    }

    private int compare(Subject subject, int[] row) {
        String which = Arrays.toString(row);
        int atOnce = Column.AT_ONCE.of(row) == 0 ? 1 : 3;
        String prompt = PROMPTS.get(Column.PROMPT.of(row));
        List<RequestBuilder> requests = new ArrayList<>();
        List<List<Integer>> texts = new ArrayList<>();
        List<Output.Piece> expected = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            RequestBuilder request = request(prompt, row).seed(row.length * 31L + Arrays.hashCode(row) + i);
            Output.Piece known = rest(start(subject.instance, subject.instance.newContext(), request.logprobs(3)));
            texts.add(tokens(prompt, known));
            if (Column.STOP.of(row) == 1 && known.text().length() > 9) {
                request.stop(known.text().substring(7, 9));
            }
            expected.add(rest(start(subject.instance, subject.instance.newContext(), request)));
            requests.add(request);
        }
        Known known = new Known(texts, prompt.length(), Arrays.hashCode(row), subject.target);
        List<Drafter> drafters = drafters(known, Column.DRAFTER.of(row));
        Speculation speculation = new Speculation(drafters, new int[] {2, 7, 32}[Column.NODES.of(row)]);
        List<Output> running = new ArrayList<>();
        for (RequestBuilder request : requests) {
            running.add(start(subject.instance, subject.instance.newContext(), request.speculation(speculation)));
        }
        int accepted = 0;
        for (int i = 0; i < atOnce; i++) {
            Output.Piece actual = rest(running.get(i));
            assertEquals(expected.get(i).text(), actual.text(), which);
            assertEquals(expected.get(i).reason(), actual.reason(), which);
            assertEquals(expected.get(i).logprobs(), actual.logprobs(), which);
            accepted += Objects.requireNonNull(actual.stats().speculatorStats()).numTokensAccepted();
        }
        return accepted;
    }

    private RequestBuilder request(String prompt, int[] row) {
        Stochastic penalty = PENALTIES.get(Column.PENALTY.of(row));
        Map<Integer, Double> bias = Column.BIAS.of(row) == 0 ? Map.of() : Map.of(101, 3.0, 32, -2.0, 120, -1e9);
        Stochastic method = new Stochastic(
                new double[] {0, 0.7, 1.2}[Column.TEMPERATURE.of(row)],
                new @Nullable Integer[] {null, 8, 40}[Column.TOP_K.of(row)],
                new @Nullable Double[] {null, 0.9}[Column.TOP_P.of(row)],
                new @Nullable Double[] {null, 0.05}[Column.MIN_P.of(row)],
                penalty.repetitionPenalty(),
                penalty.suffixRepetitionLength(),
                penalty.presencePenalty(),
                penalty.frequencyPenalty(),
                bias);
        int length = tokenizer.encode(prompt, false).length;
        return request(prompt)
                .method(method)
                .logprobs(Column.LOGPROBS.of(row) == 0 ? 0 : 3)
                .limit(new int[] {40, 13, 1000}[Column.LIMIT.of(row)])
                .context(Column.LIMIT.of(row) == 2 ? length + 22 : 4096);
    }

    private List<Integer> tokens(String prompt, Output.Piece reply) {
        List<Integer> tokens = new ArrayList<>();
        for (int token : tokenizer.encode(prompt, false)) {
            tokens.add(token);
        }
        reply.logprobs().stream().map(TokenLogprob::token).forEach(tokens::add);
        return tokens;
    }

    /** The first tokens of each reply, and something else. */
    private static Drafter values(Known known) {
        List<int[]> answers = new ArrayList<>();
        answers.add(new int[] {110, 111});
        for (List<Integer> text : known.texts()) {
            int from = Math.min(text.size(), known.texts().getFirst().size() - 10);
            answers.add(text.subList(Math.max(0, Math.min(known.promptLength(), from)), text.size()).stream()
                    .mapToInt(i -> i)
                    .toArray());
        }
        return new FixedValues(answers);
    }

    /** Cancels at the n-th draw, whose token is still shown. */
    private record CancelAt(CancelToken token, int[] left) implements Constraint {
        @Override
        public boolean accepts(int token) {
            return token >= 0 && token < 256;
        }

        @Override
        public Constraint after(int token) {
            return this;
        }

        @Override
        public void mask(Logits logits, int count) {
            if (--left[0] == 0) {
                token.cancel();
            }
        }
    }

    @Test
    void cancelledRepliesAndWhatFollowsThemAreTheSame() {
        Random random = new Random(3);
        for (String family : SmallTarget.FAMILIES) {
            int[] row = new int[Column.values().length];
            row[Column.FAMILY.ordinal()] = SmallTarget.FAMILIES.indexOf(family);
            try (Subject subject = new Subject(row)) {
                for (int trial = 0; trial < 12; trial++) {
                    String prompt = PROMPTS.get(random.nextInt(PROMPTS.size()));
                    long seed = random.nextLong();
                    List<Integer> text = tokens(
                            prompt,
                            rest(start(
                                    subject.instance,
                                    subject.instance.newContext(),
                                    request(prompt).seed(seed).limit(40).logprobs(0))));
                    List<Drafter> drafters = new ArrayList<>(trial % 2 == 0 ? List.of() : subject.target.drafters());
                    drafters.add(Guesser.knowing(() -> List.of(text), 0.3, trial));
                    drafters.add(new Lookup());
                    Speculation speculation = new Speculation(drafters, 16);
                    int[] cancels = {1 + random.nextInt(39), 1 + random.nextInt(39)};
                    List<String> plain = conversation(subject, prompt, seed, cancels, Speculation.off());
                    assertEquals(plain, conversation(subject, prompt, seed, cancels, speculation), "trial " + trial);
                }
            }
        }
    }

    /** Two replies, each cancelled, and one to the end, in one context. */
    private List<String> conversation(
            Subject subject, String prompt, long seed, int[] cancels, Speculation speculation) {
        Context context = subject.instance.newContext();
        List<String> replies = new ArrayList<>();
        int[] tokens = tokenizer.encode(prompt, false);
        for (int turn = 0; turn <= cancels.length; turn++) {
            RequestBuilder request =
                    new RequestBuilder(tokens).seed(seed).limit(40).logprobs(0).speculation(speculation);
            if (turn < cancels.length) {
                CancelToken cancel = CancelToken.create();
                request.cancel(cancel).constraint(new CancelAt(cancel, new int[] {cancels[turn]}));
            }
            Output.Piece reply = rest(start(subject.instance, context, request));
            replies.add(reply.reason() + " " + reply.logprobs());
            int[] said = reply.logprobs().stream().mapToInt(TokenLogprob::token).toArray();
            int kept = tokens.length;
            tokens = Arrays.copyOf(tokens, kept + said.length + 2);
            System.arraycopy(said, 0, tokens, kept, said.length);
            tokens[kept + said.length] = 'o';
            tokens[kept + said.length + 1] = 'k';
        }
        return replies;
    }

    /** A small model of a family that replies. */
    private final class Subject implements AutoCloseable {
        private final SmallTarget target;
        private final Instance instance;

        Subject(int[] row) {
            target = new SmallTarget(
                    SmallTarget.FAMILIES.get(Column.FAMILY.of(row)),
                    1 + Column.THREADS.of(row),
                    KvCache.values()[Column.CACHE.of(row)],
                    Column.MOST_ROWS.of(row) == 0 ? 256 : 9);
            instance = drafting(target.model.executable(), target.model.vocabularySize());
        }

        @Override
        public void close() {
            instance.close();
            target.close();
        }
    }
}
