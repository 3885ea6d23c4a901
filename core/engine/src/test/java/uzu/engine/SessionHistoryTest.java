package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatSession;
import uzu.ReasoningEffort;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

/** Histories that are edited, forked, saved and restored. */
@Timeout(60)
class SessionHistoryTest {
    private final ScriptedModel model = new ScriptedModel(
            ScriptedModel.TEMPLATE, "<assistant>", prompt -> "I heard " + prompt.length() + " bytes.");

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        model.close();
    }

    @Test
    void aForkGoesItsOwnWayFromWhatWasComputed() {
        ChatSession session = model.session();
        session.addTool(ToolFunction.of(new ToolDeclaration("any", "", "{}"), (arguments, token) -> "1"));
        reply(session, "Hello");
        ChatSession fork = session.fork();
        assertEquals(session.messages(), fork.messages());
        ChatReply there = reply(fork, "On we go");
        assertEquals(2, session.messages().size());
        // All but the last token of the reply so far was computed before, as in the session itself.
        assertEquals(
                reply(session, "On we go").stats().tokensCountCached(),
                there.stats().tokensCountCached());
        assertTrue(there.stats().tokensCountCached() > "<user>Hello<assistant>".length(), there.toString());
        session.close();
        assertEquals("I heard", reply(fork, "Still there?").message().text().substring(0, 7));
        assertThrows(
                UzuException.InvalidArgument.class,
                () -> fork.addTool(ToolFunction.of(new ToolDeclaration("any", "", "{}"), (arguments, token) -> "1")));
    }

    @Test
    void anEditedHistoryKeepsWhatItHasInCommon() {
        ChatSession session = model.session();
        reply(session, "Hello");
        List<ChatMessage> edited =
                List.of(user("Hello"), ChatMessage.assistant().withText("I heard you."));
        session.setMessages(edited);
        assertEquals(edited, session.messages());
        ChatReply reply = reply(session, "And now?");
        assertEquals("<user>Hello<assistant>I heard ".length(), reply.stats().tokensCountCached());
    }

    @Test
    void aSavedConversationGoesOn() {
        List<ChatMessage> all = List.of(
                ChatMessage.system().withReasoningEffort(ReasoningEffort.LOW),
                ChatMessage.developer()
                        .withBlock(new ChatContentBlock.Tools(List.of(new ToolDeclaration("any", "d", "{}")))),
                user("Zürich 🎉 \"quoted\"\n").withBlock(new ChatContentBlock.Custom("mood", "{\"a\": 1.0}")),
                ChatMessage.assistant()
                        .withReasoning("Hm.")
                        .withText("")
                        .withToolCall(new ChatContentBlock.ToolCall("1", "any", "{\"n\": 1e2}"))
                        .withBlock(new ChatContentBlock.ToolCallCandidate("<tool")),
                ChatMessage.tool().withBlock(new ChatContentBlock.ToolCallResult("1", "any", "null")),
                user("").withBlock(new ChatContentBlock.Image("a.png"))
                        .withBlock(new ChatContentBlock.Audio("a.wav"))
                        .withBlock(new ChatContentBlock.Video("a.mp4"))
                        .withBlock(new ChatContentBlock.File("a.pdf")));
        ChatSession session = model.session();
        session.setMessages(all);
        Path file = folder.resolve("conversation.json");
        session.save(file);
        session.save(file);
        ChatSession other = model.session();
        other.restore(file);
        assertEquals(all, other.messages());
        assertEquals(List.of("conversation.json"), names());
    }

    @Test
    void damagedFilesAreTypedErrorsThatChangeNothing() throws IOException {
        ChatSession session = model.session();
        reply(session, "Hello");
        List<ChatMessage> before = session.messages();
        Path file = folder.resolve("conversation.json");
        session.save(file);
        byte[] whole = Files.readAllBytes(file);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = i < 100 ? java.util.Arrays.copyOf(whole, random.nextInt(whole.length - 1)) : whole.clone();
            if (i >= 100) {
                int at = random.nextInt(whole.length - 1);
                damaged[at] = (byte) (damaged[at] ^ (1 + random.nextInt(127)));
            }
            Files.write(file, damaged);
            try {
                session.restore(file);
            } catch (UzuException.InvalidArgument e) {
                assertEquals(file.toString(), e.details().get("path"), "seed " + seed);
            }
            assertEquals(before, session.messages(), "seed " + seed);
        }
        Files.writeString(file, "{\"format\": \"uzu-session\", \"version\": 2}");
        UzuException later = assertThrows(UzuException.InvalidArgument.class, () -> session.restore(file));
        assertTrue(later.getMessage().contains("version 2"), later.getMessage());
        Files.writeString(file, "[]");
        assertThrows(UzuException.InvalidArgument.class, () -> session.restore(file));
        assertThrows(UzuException.InvalidArgument.class, () -> session.restore(folder.resolve("none")));
        assertThrows(UzuException.InvalidArgument.class, () -> session.save(folder.resolve("none/at/all")));
    }

    private List<String> names() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static ChatReply reply(ChatSession session, String text) {
        return session.reply(List.of(user(text))).getFirst();
    }

    private static ChatMessage user(String text) {
        return ChatMessage.user().withText(text);
    }
}
