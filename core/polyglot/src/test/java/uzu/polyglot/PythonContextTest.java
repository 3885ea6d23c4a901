package uzu.polyglot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A Java program with scripts of Python, which get no access to Java. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PythonContextTest {
    private static final String SCRIPT = """
            import asyncio
            from uzu import *

            async def reply(text):
                async with await Engine.create(EngineConfig.create()) as engine:
                    session = await engine.chat(await engine.model("smollm2"), ChatConfig.create())
                    config = ChatReplyConfig(token_limit=4).with_sampling_method(SamplingMethod.Greedy())
                    async with await session.reply_with_stream([ChatMessage.user().with_text(text)], config) as stream:
                        return await stream.replies()

            async def path():
                async with await Engine.create(EngineConfig.create()) as engine:
                    return await engine.model_path(await engine.model("smollm2"))

            async def failure():
                async with await Engine.create(EngineConfig.create()) as engine:
                    try:
                        await engine.chat(await engine.model("smollm2"), ChatConfig(context_length=ContextLength.Custom(-1)))
                    except UzuError as error:
                        return [type(error).__name__, error.code, isinstance(error, RuntimeError)]

            def run(function, *arguments):
                return asyncio.run(globals()[function](*arguments))
            """;

    private Context context;
    private Value run;

    @BeforeAll
    void install() {
        context = Context.newBuilder("python")
                .allowCreateThread(true)
                .allowPolyglotAccess(PolyglotAccess.ALL)
                .allowIO(IOAccess.ALL)
                .allowEnvironmentAccess(EnvironmentAccess.INHERIT)
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        UzuPolyglot.install(context, "python");
        context.eval("python", SCRIPT);
        run = context.getBindings("python").getMember("run");
    }

    @AfterAll
    void close() {
        context.close(true);
    }

    @Test
    void aRepliesPartsAreMembers() {
        assumeTrue(!run.execute("path").isNull(), "SmolLM2 isn't downloaded");
        Value reply = run.execute("reply", "Say hello to Ada.").getArrayElement(0);
        assertFalse(reply.getMember("message").getMember("text").asString().isBlank());
        assertEquals(
                4, reply.getMember("stats").getMember("tokens_count_output").asInt());
        assertTrue(reply.getMember("stats").getMember("duration").asDouble() > 0);
    }

    @Test
    void errorsAreExceptionsOfPython() {
        Value failure = run.execute("failure");
        assertEquals("InvalidArgument", failure.getArrayElement(0).asString());
        assertEquals("invalid_argument", failure.getArrayElement(1).asString());
        assertTrue(failure.getArrayElement(2).asBoolean());
    }

    @Test
    void whatAScriptDoesNotCatchReachesJavaWithItsMessage() {
        PolyglotException thrown = assertThrows(
                PolyglotException.class, () -> context.eval("python", "Model").execute("not", "a", "model"));
        assertTrue(thrown.isGuestException());
    }
}
