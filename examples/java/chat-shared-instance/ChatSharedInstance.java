import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.Engine;
import uzu.Model;

static final Map<String, String> PROMPTS = Map.of(
        "story", "Tell me a short story about a tiny robot",
        "capital", "What is the capital of France, and what is it known for?");
static final ChatReplyConfig CONFIG = ChatReplyConfig.create().withTokenLimit(128);

/** One loaded model, two conversations on it that reply at the same time. */
void main() throws InterruptedException, ExecutionException {
    try (Engine engine = Engine.create()) {
        Model model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4");
        for (var update : engine.download(model)) {
            IO.print("\rDownload progress: %.0f%%".formatted(100 * update.progress()));
        }
        IO.println();

        try (ChatInstance instance = engine.chatInstance(model);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            List<Future<?>> answers = new ArrayList<>();
            PROMPTS.forEach((label, prompt) ->
                    answers.add(threads.submit(() -> answer(engine, instance, label, prompt))));
            for (Future<?> answer : answers) {
                answer.get();
            }
            IO.println("%d replies in %.1f s, in %.0f MB"
                    .formatted(answers.size(), (System.nanoTime() - start) / 1e9, instance.memoryUsedBytes() / 1e6));
        }
    }
}

static void answer(Engine engine, ChatInstance instance, String label, String prompt) {
    try (ChatSession session = engine.chatWithInstance(instance)) {
        var replies = session.reply(List.of(ChatMessage.user().withText(prompt)), CONFIG);
        IO.println("[%s] %s\n".formatted(label, replies.getLast().message().text()));
    }
}
