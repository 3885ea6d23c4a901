package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.CancelToken;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyDelta;
import uzu.ChatReplyFinishReason;
import uzu.ChatReplyStats;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;

@Timeout(60)
class ReplyStreamTest {
    private final Chunks chunks = new Chunks();
    private final HostCalls calls = new HostCalls();
    private final ReplyStream stream = new ReplyStream(chunks, calls, ReplyJson.ofChat());

    @Test
    void aCallIsReadAfterTheMessageThatMadeItEvenIfItIsQuicker() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        stream.onReady(called::countDown);
        Thread call = Thread.ofVirtual().start(() -> {
            try {
                calls.call("look", "{}");
            } catch (InterruptedException given) {
                Thread.currentThread().interrupt();
            }
        });
        called.await();
        chunks.all.add(reply("I ", null));
        assertStarts("{\"text\":\"I \"", stream.next(Duration.ZERO));
        assertNull(stream.next(Duration.ZERO));
        AtomicInteger tooEarly = new AtomicInteger();
        stream.onReady(tooEarly::incrementAndGet);
        assertEquals(0, tooEarly.get());
        chunks.all.add(reply("look.", ChatReplyFinishReason.TOOL_CALLS));
        assertStarts("{\"text\":\"look.\"", stream.next(Duration.ZERO));
        assertStarts("{\"call_tools\":", stream.next(Duration.ZERO));
        call.interrupt();
    }

    private static void assertStarts(String beginning, @Nullable String json) {
        assertNotNull(json);
        assertTrue(json.startsWith(beginning), json);
    }

    private static ChatSessionStreamChunk reply(String text, @Nullable ChatReplyFinishReason reason) {
        ChatReplyStats stats = new ChatReplyStats(1, null, null, null, 1, 1, 0, null, null, 1L);
        ChatReply reply = new ChatReply(ChatMessage.assistant().withText(text), stats, reason, List.of(), List.of());
        return new ChatSessionStreamChunk.Replies(List.of(reply), new ChatReplyDelta(text, "", List.of()));
    }

    /** Those that the test has put there; nothing waits. */
    private static final class Chunks implements ChatSessionStream {
        final Queue<ChatSessionStreamChunk> all = new ArrayDeque<>();

        @Override
        public @Nullable ChatSessionStreamChunk next() {
            return all.poll();
        }

        @Override
        public @Nullable ChatSessionStreamChunk next(Duration timeout) {
            return all.poll();
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public void onReady(Runnable listener) {
            if (!all.isEmpty()) {
                listener.run();
            }
        }

        @Override
        public CancelToken cancelToken() {
            return CancelToken.create();
        }

        @Override
        public void close() {}
    }
}
