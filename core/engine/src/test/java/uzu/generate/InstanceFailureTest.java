package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.CancelToken;
import uzu.ChatReplyFinishReason;
import uzu.UzuException;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;

/** What goes wrong beside passes is told to whoever asked for it, and the thread goes on or tells everybody. */
@Timeout(30)
class InstanceFailureTest extends ToyConversations {
    private static final PassCosts KNOWN = new PassCosts(new int[] {1, 64}, new double[] {1, 1});

    private final ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed());

    private Instance keepingCosts(ToyExecutable on, PassCostStore store) {
        return new Instance(on, tokenizer, ToyExecutable.VOCABULARY, new int[] {ToyTokenizer.END}, store);
    }

    private String reply(Instance instance) {
        return text(instance, instance.newContext(), request(PROMPT).limit(5));
    }

    @Test
    void aForkThatFailsComputesEverythingAnew() {
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            String first = text(instance, context, request(PROMPT).limit(5));
            executable.onFork = () -> {
                throw new UzuException.OutOfMemory("no room for a fork", Map.of());
            };
            Context fork = instance.fork(context);

            String expected = text(instance, context, request(PROMPT + first).limit(5));
            assertEquals(expected, text(instance, fork, request(PROMPT + first).limit(5)), "computed anew");
        }
    }

    @Test
    void anErrorWhileAnIdleMachineMeasuresEndsTheMeasurementOnly() throws InterruptedException {
        CountDownLatch thrown = new CountDownLatch(1);
        ToyExecutable failing = new ToyExecutable(512, ToyExecutable.hashed(), path -> {
            if (path[0] == 0) {
                thrown.countDown();
                throw new InternalError("broken on purpose");
            }
        });
        try (Instance instance = instance(failing)) {
            instance.expectSpeculation();
            assertTrue(thrown.await(20, TimeUnit.SECONDS));
            assertEquals(5, reply(instance).length());
        }
    }

    /** Fails where {@code loads} or {@code saves} says so. */
    private record Store(Runnable loads, Consumer<PassCosts> saves) implements PassCostStore {
        @Override
        public PassCosts load() {
            loads.run();
            return KNOWN;
        }

        @Override
        public void save(PassCosts costs) {
            saves.accept(costs);
        }
    }

    @Test
    void costsThatCantBeKeptAreMeasuredAgainNextTime() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Store store = new Store(() -> {}, costs -> {
            asked.countDown();
            throw new IllegalStateException("broken on purpose");
        });
        try (Instance instance = keepingCosts(executable, store)) {
            instance.expectSpeculation();
            assertTrue(asked.await(20, TimeUnit.SECONDS));
            assertEquals(5, reply(instance).length());
        }
    }

    @Test
    void costsThatCantBeReadAreMeasured() throws InterruptedException {
        CountDownLatch measured = new CountDownLatch(1);
        Store store = new Store(
                () -> {
                    throw new IllegalStateException("broken on purpose");
                },
                costs -> measured.countDown());
        try (Instance instance = keepingCosts(executable, store)) {
            instance.expectSpeculation();
            assertTrue(measured.await(20, TimeUnit.SECONDS));
            assertEquals(5, reply(instance).length());
        }
    }

    @Test
    void aListenerThatFailsEndsItsReplyOnlyWhateverTheHandlerThrows() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            throw new AssertionError("thrown by the application", error);
        });
        try (Instance instance = instance(executable)) {
            EndListener failing = new EndListener() {
                @Override
                public void finished(String text, ChatReplyFinishReason reason) {
                    throw new AssertionError("broken on purpose");
                }

                @Override
                public void failed(UzuException error) {
                    throw new AssertionError("broken on purpose too");
                }
            };
            Output output = instance.generate(
                    instance.newContext(), request(PROMPT).limit(5).build(), failing);
            assertThrows(UzuException.Internal.class, () -> rest(output));
            assertEquals(5, reply(instance).length());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void whenNobodyKnowsWhatIsHalfDoneEveryoneIsTold() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        ToyExecutable shared = new ToyExecutable(512, ToyExecutable.hashed(), path -> running.countDown());
        Instance instance = instance(shared);
        Output other = start(instance, instance.newContext(), request(PROMPT));
        running.await();
        shared.onMemory = () -> {
            throw new OutOfMemoryError("Java heap space");
        };
        CancelToken cancelled = CancelToken.create();
        cancelled.cancel();
        Output ended = start(instance, instance.newContext(), request(PROMPT).cancel(cancelled));

        assertThrows(UzuException.OutOfMemory.class, () -> rest(ended));
        assertThrows(UzuException.OutOfMemory.class, () -> rest(other));
        UzuException late = assertThrows(UzuException.Closed.class, () -> reply(instance));
        assertInstanceOf(UzuException.OutOfMemory.class, late.getCause());
        assertEquals(0, shared.sequences.get());
        instance.close();
    }
}
