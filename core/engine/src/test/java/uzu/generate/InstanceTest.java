package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatReplyFinishReason;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.TokenLogprob;
import uzu.UzuException;

@Timeout(60)
class InstanceTest extends ToyConversations {
    @Test
    void theSameSeedGivesTheSameTextUnderAnyChunking() {
        String expected = sampled(512, 5);
        for (int maxRows : new int[] {1, 2, 3, 7, 16, 57, 58}) {
            assertEquals(expected, sampled(maxRows, 5), maxRows + " rows a pass");
        }
        assertNotEquals(expected, sampled(512, 6));
    }

    @Test
    void neighboursChangeNothing() throws InterruptedException {
        String expected = sampled(512, 5);
        ToyExecutable executable = new ToyExecutable(40, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            List<Output> outputs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String prompt = i % 3 == 0 ? PROMPT : PROMPT.substring(i) + i;
                outputs.add(start(
                        instance, instance.newContext(), request(prompt).seed(5).limit(80)));
            }
            for (int i = 0; i < 50; i++) {
                String text = text(outputs.get(i));
                assertEquals(80, text.length());
                if (i % 3 == 0) {
                    assertEquals(expected, text);
                }
            }
        }
        assertTrue(executable.largestBatchSequences.get() > 10, "passes are shared");
    }

    @Test
    void onlyTokensAfterTheCommonPrefixAreComputed() {
        ToyExecutable executable = new ToyExecutable(16, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            String first = text(instance, context, request(PROMPT).seed(1).limit(10));
            long computed = executable.computedRows.get();
            assertEquals(PROMPT.length() + 9, computed);

            Output.Piece more = rest(start(
                    instance,
                    context,
                    request(PROMPT + first + " and then").seed(1).limit(1)));
            assertEquals(PROMPT.length() + 9, more.stats().tokensCountCached());
            assertEquals(PROMPT.length() + 19, more.stats().tokensCountInput());
            assertEquals(computed + 10, executable.computedRows.get());

            Output.Piece other = rest(start(
                    instance,
                    context,
                    request(PROMPT.replace("stormy", "quiet ")).seed(1).limit(1)));
            assertEquals(PROMPT.indexOf("stormy"), other.stats().tokensCountCached());
        }
    }

    @Test
    void aReusedPrefixGivesTheSameText() {
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.hashed()))) {
            Context used = instance.newContext();
            text(instance, used, request(PROMPT + " and on").seed(9).limit(30));
            assertEquals(
                    text(
                            instance,
                            instance.newContext(),
                            request(PROMPT).seed(3).limit(40)),
                    text(instance, used, request(PROMPT).seed(3).limit(40)));
            assertEquals(
                    text(
                            instance,
                            instance.newContext(),
                            request(PROMPT).seed(4).limit(40)),
                    text(instance, used, request(PROMPT).seed(4).limit(40)));
        }
    }

    @Test
    void theLastPromptTokenIsComputedAnewWhenAllAreCached() {
        ToyExecutable executable = new ToyExecutable(16, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            text(instance, context, request(PROMPT).limit(1));
            Output.Piece again = rest(start(instance, context, request(PROMPT).limit(1)));
            assertEquals(PROMPT.length() - 1, again.stats().tokensCountCached());
        }
    }

    @Test
    void aStopTokenEndsTheReplyAndIsNotShown() {
        Output.Piece reply = scripted("Hello!", request("x"));
        assertEquals("Hello!", reply.text());
        assertEquals(ChatReplyFinishReason.STOP, reply.reason());
        assertEquals(7, reply.stats().tokensCountOutput());
    }

    @Test
    void aStopStringSplitOverTokensEndsTheReply() {
        Output.Piece reply = scripted("one two three", request("x").stop("two", "zz"));
        assertEquals("one ", reply.text());
        assertEquals(ChatReplyFinishReason.STOP, reply.reason());
    }

    @Test
    void textHeldBackForAStopStringIsShownAtTheEnd() {
        assertEquals("one tw", scripted("one tw", request("x").stop("two")).text());
        assertEquals(
                "one tw", scripted("one two", request("x").stop("two").limit(6)).text());
    }

    @Test
    void theTokenLimitEndsTheReply() {
        Output.Piece reply = scripted("Hello!", request("x").limit(3));
        assertEquals("Hel", reply.text());
        assertEquals(ChatReplyFinishReason.LENGTH, reply.reason());
        assertEquals(
                ChatReplyFinishReason.STOP,
                scripted("Hel", request("x").limit(4)).reason());
        assertEquals(
                ChatReplyFinishReason.LENGTH,
                scripted("Hel", request("x").limit(3)).reason());
        assertEquals(
                ChatReplyFinishReason.STOP,
                scripted("Hel", request("x").limit(3).stop("l")).reason());
    }

    @Test
    void aTokenLimitOfZeroComputesNothing() {
        ToyExecutable executable = new ToyExecutable(16, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            Output.Piece reply =
                    rest(start(instance, instance.newContext(), request(PROMPT).limit(0)));
            assertEquals("", reply.text());
            assertEquals(ChatReplyFinishReason.LENGTH, reply.reason());
            assertEquals(0, executable.passes.get());
        }
    }

    @Test
    void halfACharacterAtTheEndIsShownAsReplacement() {
        assertEquals("Ç", scripted("Çа", request("x").limit(2)).text());
        assertEquals("Ç\uFFFD", scripted("Çа", request("x").limit(3)).text());
    }

    @Test
    void theContextFillsToItsLastToken() {
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.hashed()))) {
            Output.Piece reply = rest(
                    start(instance, instance.newContext(), request("0123456789").context(16)));
            assertEquals(6, reply.text().length());
            assertEquals(ChatReplyFinishReason.CONTEXT_LIMIT_REACHED, reply.reason());

            Output.Piece full = rest(
                    start(instance, instance.newContext(), request("0123456789").context(10)));
            assertEquals("", full.text());
            assertEquals(ChatReplyFinishReason.CONTEXT_LIMIT_REACHED, full.reason());
        }
    }

    @Test
    void aPromptLongerThanTheContextIsRefusedWithBothCounts() {
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.hashed()))) {
            UzuException error = assertThrows(
                    UzuException.ContextOverflow.class,
                    () -> start(
                            instance,
                            instance.newContext(),
                            request("0123456789").context(9)));
            assertEquals(Map.of("promptTokens", "10", "contextLength", "9"), error.details());
        }
    }

    @Test
    void tokensThatTheModelDoesNotHaveAreRefused() {
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.hashed()))) {
            assertThrows(
                    UzuException.InvalidArgument.class,
                    () -> start(instance, instance.newContext(), new RequestBuilder(new int[] {1, 258})));
            assertThrows(
                    UzuException.InvalidArgument.class,
                    () -> start(instance, instance.newContext(), new RequestBuilder(new int[0])));
            SamplingMethod biased = Stochastic.create().withLogitBias(Map.of(258, 1.0));
            assertThrows(
                    UzuException.InvalidArgument.class,
                    () -> start(instance, instance.newContext(), request("x").method(biased)));
        }
    }

    @Test
    void anIdleInstanceSleeps() throws InterruptedException {
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            text(instance, instance.newContext(), request(PROMPT).limit(5));
            int passes = executable.passes.get();
            Thread thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals("uzu-instance"))
                    .findFirst()
                    .orElseThrow();
            for (int i = 0; i < 100 && thread.getState() != Thread.State.WAITING; i++) {
                Thread.sleep(10);
            }
            assertEquals(Thread.State.WAITING, thread.getState());
            assertEquals(passes, executable.passes.get());
        }
    }

    @Test
    void anIdleInstanceLeavesTheMachineToABusyOne() throws InterruptedException {
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed());
        executable.isAlone = false;
        try (Instance instance = instance(executable)) {
            instance.expectSpeculation();
            Thread.sleep(300);
            assertEquals(0, executable.passes.get());
            executable.isAlone = true;
            for (int i = 0; i < 500 && executable.passes.get() == 0; i++) {
                Thread.sleep(10);
            }
            assertTrue(executable.passes.get() > 0);
        }
    }

    @Test
    void logprobsAreThoseOfTheModelWhateverIsSampled() {
        ToyExecutable executable = new ToyExecutable(16, (path, into) -> {
            java.util.Arrays.fill(into, Float.NEGATIVE_INFINITY);
            into['a'] = (float) Math.log(0.5);
            into['b'] = (float) Math.log(0.3);
            into['c'] = (float) Math.log(0.2);
        });
        try (Instance instance = instance(executable)) {
            SamplingMethod method = Stochastic.create().withTemperature(0).withLogitBias(Map.of((int) 'c', 9.0));
            Output.Piece reply = rest(start(
                    instance,
                    instance.newContext(),
                    request("x").method(method).limit(2).logprobs(2)));
            assertEquals(2, reply.logprobs().size());
            TokenLogprob first = reply.logprobs().getFirst();
            assertEquals("c", first.text());
            assertEquals(Math.log(0.2), first.logprob(), 1e-6);
            assertEquals(
                    List.of("a", "b"),
                    first.alternatives().stream().map(TokenLogprob::text).toList());
            assertEquals(Math.log(0.5), first.alternatives().getFirst().logprob(), 1e-6);
        }
    }

    @Test
    void aReaderIsToldOnceWhenThereIsSomethingToRead() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.hashed()))) {
            Output output =
                    start(instance, instance.newContext(), request(PROMPT).limit(3));
            output.onReady(told::countDown);
            told.await();
            Output.Piece piece = output.next(Duration.ZERO);
            assertFalse(piece == null);
        }
    }

    private Output.Piece scripted(String text, RequestBuilder request) {
        try (Instance instance = instance(new ToyExecutable(16, ToyExecutable.scripted(1, text)))) {
            Output.Piece reply = rest(start(instance, instance.newContext(), request.method(new Greedy())));
            assertEquals(reply.text(), ends.getLast());
            return reply;
        }
    }
}
