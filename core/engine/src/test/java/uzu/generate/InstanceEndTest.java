package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.CancelToken;
import uzu.ChatReplyFinishReason;
import uzu.UzuException;

/** Replies that end before their time, and what that leaves behind. */
@Timeout(60)
class InstanceEndTest extends ToyConversations {
    @Test
    void cancellingInPrefillEndsWithinThePass() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CancelToken cancel = CancelToken.create();
        AtomicInteger rows = new AtomicInteger();
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed(), path -> {
            if (rows.incrementAndGet() == 10) {
                reached.countDown();
                await(cancel);
            }
        });
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            Output output = start(instance, context, request(PROMPT).cancel(cancel));
            reached.await();
            cancel.cancel();
            Output.Piece reply = rest(output);
            assertEquals(ChatReplyFinishReason.CANCELLED, reply.reason());
            assertEquals("", reply.text());
            assertEquals(10, rows.get());
            assertEquals(5, text(instance, context, request(PROMPT).limit(5)).length());
        }
    }

    @Test
    void cancellingInDecodeEndsWithTheTextSoFar() {
        CancelToken cancel = CancelToken.create();
        try (Instance instance = instance(new ToyExecutable(512, ToyExecutable.hashed()))) {
            Context context = instance.newContext();
            String whole = text(instance, context, request(PROMPT).seed(2).limit(2000));
            Output output = start(
                    instance, instance.newContext(), request(PROMPT).seed(2).cancel(cancel));
            StringBuilder text = new StringBuilder();
            ChatReplyFinishReason reason = null;
            while (reason == null) {
                Output.Piece piece = output.next(null);
                text.append(piece.text());
                reason = piece.reason();
                cancel.cancel();
            }
            assertEquals(ChatReplyFinishReason.CANCELLED, reason);
            assertTrue(whole.startsWith(text.toString()));
            assertEquals(text.toString(), ends.getLast());
            assertNull(output.next(null));
        }
    }

    @Test
    void cancellingOneLeavesItsNeighboursAlone() throws InterruptedException {
        String expected = sampled(512, 5);
        try (Instance instance = instance(new ToyExecutable(32, ToyExecutable.hashed()))) {
            List<Output> kept = new ArrayList<>();
            List<CancelToken> cancels = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                kept.add(start(
                        instance, instance.newContext(), request(PROMPT).seed(5).limit(80)));
                CancelToken cancel = CancelToken.create();
                cancels.add(cancel);
                start(instance, instance.newContext(), request(PROMPT).seed(i).cancel(cancel));
            }
            for (CancelToken cancel : cancels) {
                Thread.sleep(1);
                cancel.cancel();
            }
            for (Output output : kept) {
                assertEquals(expected, text(output));
            }
        }
    }

    @Test
    void closingEndsRepliesWithATypedError() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed(), path -> running.countDown());
        Instance instance = instance(executable);
        Output output = start(instance, instance.newContext(), request(PROMPT));
        running.await();
        instance.close();
        instance.close();
        assertThrows(UzuException.Closed.class, () -> {
            while (output.next(null) != null) {
                // Text that was made before.
            }
        });
        assertTrue(output.isReadToEnd());
        assertThrows(UzuException.Closed.class, () -> start(instance, instance.newContext(), request(PROMPT)));
        assertEquals(0, executable.sequences.get());
    }

    @Test
    void aFailingPassEndsItsReplyAndNothingElse() {
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed(), path -> {
            if (path.length == 60) {
                throw new IllegalStateException("broken on purpose");
            }
        });
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            Output output = start(instance, context, request(PROMPT).limit(80));
            UzuException error = assertThrows(UzuException.Internal.class, () -> rest(output));
            assertInstanceOf(IllegalStateException.class, error.getCause());
            assertEquals("failed", ends.getLast());
            assertEquals(2, text(instance, context, request(PROMPT).limit(2)).length());
        }
    }

    @Test
    void logitsThatAreNoNumbersEndOnlyTheirReply() {
        ToyExecutable executable = new ToyExecutable(512, (path, into) -> {
            ToyExecutable.hashed().logits(path, into);
            into[3] = path[0] == 'N' ? Float.NaN : into[3];
        });
        try (Instance instance = instance(executable)) {
            Output bad = start(instance, instance.newContext(), request("N").limit(5));
            Output good = start(instance, instance.newContext(), request("M").limit(5));
            assertThrows(UzuException.Internal.class, () -> rest(bad));
            assertEquals(5, text(good).length());
        }
    }

    @Test
    void releasingAContextFreesItsSequence() {
        ToyExecutable executable = new ToyExecutable(512, ToyExecutable.hashed());
        try (Instance instance = instance(executable)) {
            Context context = instance.newContext();
            text(instance, context, request(PROMPT).limit(5));
            assertEquals(1, executable.sequences.get());
            instance.release(context);
            text(instance, instance.newContext(), request(PROMPT).limit(5));
            assertEquals(1, executable.sequences.get());
        }
    }
}
