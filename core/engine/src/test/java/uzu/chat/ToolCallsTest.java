package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.CancelToken;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ToolDeclaration;
import uzu.ToolFunction;

@Timeout(60)
class ToolCallsTest {
    private final CancelToken cancel = CancelToken.create();

    @Test
    void callsRunAtTheSameTimeAndResultsKeepTheirOrder() {
        CyclicBarrier all = new CyclicBarrier(3);
        CountDownLatch third = new CountDownLatch(1);
        ToolFunction tool = tool("wait", (arguments, token) -> {
            all.await();
            if (arguments.contains("3")) {
                third.countDown();
            } else {
                third.await();
            }
            return arguments;
        });
        assertEquals(
                List.of(
                        new ToolCallResult("id1", "wait", "{\"n\":1}"),
                        new ToolCallResult("id2", "wait", "{\"n\":2}"),
                        new ToolCallResult("id3", "wait", "{\"n\":3}")),
                answer(tool, "{\"n\": \"1\"}", "{\"n\": 2}", "{\"n\": 3.0}"));
    }

    @Test
    void whateverGoesWrongIsAResult() {
        ToolFunction tool = tool("fail", (arguments, token) -> switch (arguments) {
            case "{\"n\":1}" -> throw new java.io.IOException("no network");
            case "{\"n\":2}" -> throw new StackOverflowError();
            case "{\"n\":3}" -> "no JSON";
            default -> "[]";
        });
        List<ToolCallResult> results =
                answer(tool, "{\"n\": 1}", "{\"n\": 2}", "{\"n\": 3}", "{\"n\": \"four\"}", "{\"n\"", "[]", "{}");
        assertEquals("{\"error\":\"no network\"}", results.get(0).value());
        assertEquals("{\"error\":\"StackOverflowError\"}", results.get(1).value());
        assertTrue(results.get(2).value().startsWith("{\"error\":\"the tool's result is no JSON"));
        assertEquals(
                "{\"error\":\"n must be of type integer, not string\"}",
                results.get(3).value());
        assertTrue(results.get(4).value().startsWith("{\"error\":\"the arguments are no JSON"));
        assertEquals(
                "{\"error\":\"the arguments must be of type object\"}",
                results.get(5).value());
        assertEquals("[]", results.get(6).value());
    }

    @Test
    void aCallThatTakesTooLongIsInterrupted() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        ToolFunction tool = tool("sleep", (arguments, token) -> {
                    try {
                        Thread.sleep(Duration.ofMinutes(5));
                        return "1";
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                })
                .withTimeout(Duration.ofMillis(20));
        assertEquals(
                "{\"error\":\"the tool took too long\"}",
                answer(tool, "{}").getFirst().value());
        interrupted.await();
    }

    @Test
    void aCancelInterruptsToolsAndWaitsForNone() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch stubborn = new CountDownLatch(1);
        ToolFunction tool = tool("sleep", (arguments, token) -> {
            running.countDown();
            if (arguments.contains("1")) {
                while (stubborn.getCount() > 0) {
                    Thread.onSpinWait();
                    Thread.yield();
                }
                return "1";
            }
            try {
                Thread.sleep(Duration.ofMinutes(5));
                return "1";
            } catch (InterruptedException e) {
                assertTrue(token.isCancelled());
                interrupted.countDown();
                throw e;
            }
        });
        AtomicReference<List<ToolCallResult>> results = new AtomicReference<>(List.of());
        Thread waiter = Thread.ofVirtual().start(() -> results.set(answer(tool, "{\"n\": 1}", "{\"n\": 2}")));
        running.await();
        cancel.cancel();
        waiter.join();
        assertNull(results.get());
        interrupted.await();
        stubborn.countDown();
    }

    @Test
    void afterACancelNoToolRuns() {
        cancel.cancel();
        assertNull(answer(tool("any", (arguments, token) -> "1"), "{}"));
    }

    private static ToolFunction tool(String name, ToolFunction.Handler handler) {
        String parameters = "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"}}}";
        return ToolFunction.of(new ToolDeclaration(name, "", parameters), handler);
    }

    private List<ToolCallResult> answer(ToolFunction tool, String... arguments) {
        List<ToolCall> calls = new java.util.ArrayList<>();
        for (String each : arguments) {
            calls.add(new ToolCall("id" + (calls.size() + 1), tool.declaration().name(), each));
        }
        return ToolCalls.answer(calls, Toolbox.EMPTY.with(tool), cancel);
    }
}
