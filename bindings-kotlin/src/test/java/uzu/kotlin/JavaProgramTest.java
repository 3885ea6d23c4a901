package uzu.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The Kotlin API from Java. */
class JavaProgramTest {
    private static final ChatReplyConfig GREEDY =
            ChatReplyConfig.create().withTokenLimit(32).withSamplingMethod(SamplingMethod.Greedy.INSTANCE);

    @Test
    void futuresStandForSuspendFunctions() {
        EngineConfig config = EngineConfig.create().withOffline(true);
        try (Engine engine = Futures.createEngine(config).join()) {
            Model model = Futures.model(engine, EnginesOfTestsKt.SMOLLM2).join();
            assumeTrue(model != null
                    && Futures.downloadState(engine, model).join().getPhase() == DownloadPhase.Downloaded.INSTANCE);
            Futures.download(engine, model, update -> {}).join();
            try (ChatSession session =
                    Futures.chat(engine, model, ChatConfig.create()).join()) {
                List<ChatMessage> input = List.of(ChatMessage.user().withText("What is the capital of France?"));
                List<String> texts = new ArrayList<>();
                List<ChatReply> replies = Futures.reply(session, input, GREEDY, chunk -> {
                            if (chunk instanceof ChatSessionStreamChunk.Replies grown) {
                                texts.add(grown.getDelta().getText());
                            }
                        })
                        .join();
                assertEquals(replies.getFirst().getMessage().getText(), String.join("", texts));

                CompletableFuture<List<ChatReply>> endless = Futures.reply(session, input, ChatReplyConfig.create());
                endless.cancel(true);
                assertEquals(1, Futures.reply(session, input, GREEDY).join().size());

                Futures.addTool(session, "get_time", "The time now.", "{\"type\":\"object\"}", arguments -> "\"12:30\"")
                        .join();
                ChatReplyConfig calling = GREEDY.withTokenLimit(160).withToolChoice(new ToolChoice.Named("get_time"));
                List<ChatSessionStreamChunk> chunks = new ArrayList<>();
                Futures.reply(session, input, calling, chunks::add).join();
                assertTrue(chunks.stream().anyMatch(chunk -> chunk instanceof ChatSessionStreamChunk.ToolResults));
            }
            Engine closed = engine;
            engine.close();
            CompletionException failed = assertThrows(
                    CompletionException.class, () -> Futures.model(closed, "x").join());
            assertInstanceOf(UzuException.Closed.class, failed.getCause());
        }
    }
}
