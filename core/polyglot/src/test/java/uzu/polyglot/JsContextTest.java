package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A Java program with scripts of JavaScript, which get no access to anything else. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JsContextTest {
    private static final String SCRIPT = """
            const { ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig, SamplingMethodGreedy } = uzu;
            let engine, model;
            async function start() {
                engine = await Engine.create(EngineConfig.create());
                model = await engine.model('smollm2');
                return engine.modelPath(model);
            }
            async function reply(text) {
                const session = await engine.chat(model, ChatConfig.create());
                const config = ChatReplyConfig.create().withSamplingMethod(new SamplingMethodGreedy());
                const stream = await session.replyWithStream([ChatMessage.user().withText(text)], config.withTokenLimit(4));
                let chunks = 0;
                let last;
                for await (const chunk of stream) {
                    chunks++;
                    [last] = chunk.replies;
                }
                return { ...last, chunks };
            }
            const fail = () => engine.chat({}, ChatConfig.create());
            const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds, 'rested'));
            const never = () => new Promise(() => {});
            """;

    private Context context;
    private UzuPolyglot polyglot;
    private Value path;

    @BeforeAll
    void install() {
        assumeTrue(Resources.has(JavaScript.SCRIPT), "the jar was built without Node.js, and has no npm package");
        context = Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        polyglot = UzuPolyglot.install(context, "js");
        context.eval("js", SCRIPT);
        path = polyglot.await(context.eval("js", "start()"));
    }

    @AfterAll
    void close() {
        if (context != null) {
            polyglot.await(context.eval("js", "engine.close()"));
            polyglot.close();
            context.close(true);
        }
    }

    @Test
    void aRepliesPartsAreMembers() {
        assumeTrue(!path.isNull(), "SmolLM2 isn't downloaded");
        Value reply = polyglot.await(context.eval("js", "reply('Say hello to Ada.')"));
        assertFalse(reply.getMember("message").getMember("text").asString().isBlank());
        assertEquals(4, reply.getMember("stats").getMember("tokensCountOutput").asInt());
        assertTrue(reply.getMember("chunks").asInt() > 1);
        assertEquals("Length", reply.getMember("finishReason").asString());
    }

    @Test
    void whatAPromiseIsRejectedWithIsThrown() {
        PolyglotException thrown =
                assertThrows(PolyglotException.class, () -> polyglot.await(context.eval("js", "fail()")));
        assertTrue(thrown.getMessage().contains("model must be a Model"), thrown.getMessage());
        assertEquals(
                "invalid_argument", thrown.getGuestObject().getMember("code").asString());
    }

    @Test
    void timersRunWhileAPromiseIsAwaited() {
        assertEquals("rested", polyglot.await(context.eval("js", "pause(5)")).asString());
        assertEquals(7, polyglot.await(context.eval("js", "7")).asInt());
    }

    @Test
    void aPromiseThatNothingCanSettleIsSaidToBe() {
        assertThrows(IllegalStateException.class, () -> polyglot.await(context.eval("js", "never()")));
    }
}
