package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.CancelToken;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

class HostCallsTest {
    private final HostCalls calls = new HostCalls();
    private final Semaphore called = new Semaphore(0);

    /** A call on a thread of its own, once the host knows of it. */
    private FutureTask<String> call(String name, String arguments) throws InterruptedException {
        calls.onCall(called::release);
        FutureTask<String> task = new FutureTask<>(() -> calls.call(name, arguments));
        Thread.ofVirtual().start(task);
        called.acquire();
        return task;
    }

    @Test
    void callsWaitForTheirAnswersInAnyOrder() throws Exception {
        FutureTask<String> first = call("look", "{\"a\":1}");
        FutureTask<String> second = call("listen", "{}");
        assertEquals(
                "{\"call_tools\":[{\"identifier\":\"1\",\"name\":\"look\",\"arguments\":\"{\\\"a\\\":1}\"},"
                        + "{\"identifier\":\"2\",\"name\":\"listen\",\"arguments\":\"{}\"}]}",
                String.valueOf(calls.takeUnread()));
        assertNull(calls.takeUnread());
        calls.answer("[{\"identifier\":\"2\",\"value\":{\"b\":[null]}}]");
        assertEquals("{\"b\":[null]}", second.get());
        assertFalse(first.isDone());
        calls.answer("[{\"identifier\":\"1\",\"value\":null}]");
        assertEquals("null", first.get());
    }

    @Test
    void anErrorIsThrownWhereTheCallWaits() throws Exception {
        FutureTask<String> look = call("look", "{}");
        calls.answer("[{\"identifier\":\"1\",\"error\":\"too dark\"}]");
        ExecutionException failed = assertThrows(ExecutionException.class, look::get);
        assertEquals(UzuException.ToolFailed.class, failed.getCause().getClass());
        assertEquals("too dark", failed.getCause().getMessage());
    }

    @Test
    void anAnswerThatComesTooLateIsLetGo() throws Exception {
        FutureTask<String> look = call("look", "{}");
        calls.answer("[{\"identifier\":\"1\",\"value\":1}]");
        assertEquals("1", look.get());
        calls.answer("[{\"identifier\":\"1\",\"value\":2}]");
    }

    @Test
    void aCallThatIsInterruptedIsNoLongerToBeRead() throws Exception {
        calls.onCall(called::release);
        FutureTask<String> task = new FutureTask<>(() -> calls.call("look", "{}"));
        Thread thread = Thread.ofVirtual().start(task);
        called.acquire();
        thread.interrupt();
        ExecutionException failed = assertThrows(ExecutionException.class, task::get);
        assertEquals(InterruptedException.class, failed.getCause().getClass());
        assertNull(calls.takeUnread());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[1]",
                "[{}]",
                "[{\"identifier\":\"1\"}]",
                "[{\"identifier\":1,\"value\":1}]",
                "[{\"identifier\":\"2\",\"value\":1}]",
                "[{\"identifier\":\"0\",\"value\":1}]",
                "[{\"identifier\":\"x\",\"value\":1}]",
                "[{\"identifier\":\"1\",\"error\":5}]",
                "[{\"identifier\":\"1\",\"value\":1},{\"identifier\":\"9\",\"value\":1}]",
            })
    void whatIsNoAnswerIsAnErrorAndLeavesTheCallWaiting(String json) throws Exception {
        FutureTask<String> look = call("look", "{}");
        assertThrows(UzuException.InvalidArgument.class, () -> calls.answer(json));
        assertFalse(look.isDone());
        calls.answer("[{\"identifier\":\"1\",\"value\":true}]");
        assertEquals("true", look.get());
    }

    @Test
    void theTokenOfACallSaysWhichRepliesItIs() throws Exception {
        HostTools tools = new HostTools();
        CancelToken reply = CancelToken.create();
        ToolFunction look = tools.tool(new ToolDeclaration("look", "", "{\"type\":\"object\"}"));
        HostCalls ofReply = tools.of(reply);
        ofReply.onCall(called::release);
        FutureTask<String> task = new FutureTask<>(() -> look.call("{}", reply));
        Thread.ofVirtual().start(task);
        called.acquire();
        assertSame(ofReply, tools.of(reply));
        ofReply.answer("[{\"identifier\":\"1\",\"value\":\"here\"}]");
        assertEquals("\"here\"", task.get());
        assertFalse(tools.of(CancelToken.create()).hasUnread());
    }
}
