import uzu.ChatConfig;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSessionStreamChunk;
import uzu.ChatSpeculationPreset;
import uzu.Engine;
import uzu.Model;
import uzu.SamplingMethod;

static final List<ChatMessage> ENDLESS =
        List.of(ChatMessage.user().withText("Tell me a short story about a tiny robot"));
static final ChatReplyConfig GREEDY = ChatReplyConfig.create().withSamplingMethod(new SamplingMethod.Greedy());

/** {@code StreamOverhead TOKENS MODEL}: what overhead.py and overhead.mjs of the bindings' tests are compared with. */
void main(String[] arguments) throws IOException {
    int tokens = Integer.parseInt(arguments[0]);
    try (Engine engine = Engine.create()) {
        Model model = engine.model(arguments[1]);
        var config = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPreset.Off());
        var instance = engine.chatInstance(model, config);
        engine.chatWithInstance(instance).reply(ENDLESS, GREEDY.withTokenLimit(50));
        var stream = engine.chatWithInstance(instance).replyWithStream(ENDLESS, GREEDY.withTokenLimit(tokens));
        stream.next();
        Path thread = Path.of("/proc/thread-self").toRealPath();
        long busy = busy(thread);
        long start = System.nanoTime();
        int chunks = 0;
        for (ChatSessionStreamChunk chunk : stream) {
            chunks++;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        IO.println("{\"chunks\": %d, \"seconds\": %.3f, \"microsecondsPerChunk\": %.1f}"
                .formatted(chunks, seconds, (busy(thread) - busy) / 1e3 / chunks));
    }
}

/** Nanoseconds that the thread was running, as Linux counts them. */
static long busy(Path thread) throws IOException {
    return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
}
