import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.ChatSpeculationPreset;
import uzu.Engine;
import uzu.SamplingMethod;

/** Taking the likeliest token each time, SmolLM2 goes round in circles here, for as long as it may. */
static final List<ChatMessage> ENDLESS =
        List.of(ChatMessage.user().withText("Tell me a short story about a tiny robot"));
static final ChatReplyConfig GREEDY = ChatReplyConfig.create().withSamplingMethod(new SamplingMethod.Greedy());
static final int TOKENS_BEFORE_CANCEL = 100;

/**
 * {@code StreamOverhead MODEL}: for each number on standard input a stream of so many tokens is read as it comes; for each
 * {@code cancel} one is stopped. A line says what that took. {@code bench streams} compares it with other languages'.
 */
void main(String[] arguments) throws IOException {
    try (Engine engine = Engine.create()) {
        var config = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPreset.Off());
        ChatInstance instance = engine.chatInstance(engine.model(arguments[0]), config);
        read(engine.chatWithInstance(instance), 50);
        for (String line = IO.readln(); line != null; line = IO.readln()) {
            try (ChatSession session = engine.chatWithInstance(instance)) {
                IO.println(line.equals("cancel") ? cancel(session) : read(session, Integer.parseInt(line)));
            }
        }
    }
}

static String read(ChatSession session, int tokens) throws IOException {
    Path thread = Path.of("/proc/thread-self").toRealPath();
    long called = System.nanoTime();
    ChatSessionStream stream = session.replyWithStream(ENDLESS, GREEDY.withTokenLimit(tokens));
    int before = count(stream.next());
    long start = System.nanoTime();
    long busy = busy(thread);
    int chunks = 0;
    ChatSessionStreamChunk last = null;
    for (ChatSessionStreamChunk chunk : stream) {
        last = chunk;
        chunks++;
    }
    int read = count(last) - before;
    return "{\"tokens\": %d, \"chunks\": %d, \"firstMilliseconds\": %.1f, \"millisecondsPerToken\": %.4f, "
                    .formatted(read, chunks, (start - called) / 1e6, (System.nanoTime() - start) / 1e6 / read)
            + "\"busyMicrosecondsPerToken\": %.1f}".formatted((busy(thread) - busy) / 1e3 / read);
}

/** From asking for the end to the end. */
static String cancel(ChatSession session) {
    ChatSessionStream stream = session.replyWithStream(ENDLESS, GREEDY.withTokenLimit(4000));
    while (count(stream.next()) < TOKENS_BEFORE_CANCEL) {}
    long asked = System.nanoTime();
    stream.cancelToken().cancel();
    while (stream.next() != null) {}
    return "{\"cancelMilliseconds\": %.2f}".formatted((System.nanoTime() - asked) / 1e6);
}

static int count(ChatSessionStreamChunk chunk) {
    return ((ChatSessionStreamChunk.Replies) chunk).replies().getFirst().stats().tokensCountOutput();
}

/** Nanoseconds that the thread was running, as Linux counts them. */
static long busy(Path thread) throws IOException {
    return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
}
