import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatReplyStats;
import uzu.ChatSession;
import uzu.ChatSessionStreamChunk;
import uzu.Engine;
import uzu.Model;

static final String PROMPT = "What is the capital of France, and what is it known for?";
static final ChatReplyConfig CONFIG = ChatReplyConfig.create().withTokenLimit(256);

/** A conversation whose replies appear as they are made: with you at a terminal, else with the prompt given. */
void main(String[] arguments) {
    try (Engine engine = Engine.create()) {
        Model model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4");
        for (var update : engine.download(model)) {
            System.err.printf("\rDownload progress: %.0f%%", 100 * update.progress());
        }
        try (ChatSession session = engine.chat(model)) {
            boolean terminal = System.console() != null && System.console().isTerminal();
            if (arguments.length > 0 || !terminal) {
                answer(session, arguments.length > 0 ? String.join(" ", arguments) : PROMPT);
                return;
            }
            IO.println("\nAsk something; an empty line or \"exit\" ends the conversation.");
            String text = IO.readln("> ");
            while (text != null && !text.isBlank() && !text.equals("exit")) {
                answer(session, text);
                text = IO.readln("> ");
            }
        }
    }
}

static void answer(ChatSession session, String text) {
    var input = List.of(ChatMessage.user().withText(text));
    try (var stream = session.replyWithStream(input, CONFIG)) {
        for (ChatSessionStreamChunk chunk : stream) {
            switch (chunk) {
                case ChatSessionStreamChunk.Replies(var replies, var delta) -> {
                    IO.print(delta.text());
                    if (replies.getFirst().finishReason() != null) {
                        report(replies.getFirst().stats());
                    }
                }
                case ChatSessionStreamChunk.ToolResults(var results) -> {}
                case ChatSessionStreamChunk.Error(var error) -> throw error;
            }
        }
    }
}

static void report(ChatReplyStats stats) {
    Double speed = stats.generateTokensPerSecond();
    var drafts = stats.speculatorStats();
    String passes = drafts == null ? "" : ", %.1f a pass".formatted(drafts.tokensPerForwardPass());
    IO.println("\n[%d tokens, %.0f a second%s]"
            .formatted(stats.tokensCountOutput(), speed == null ? 0 : speed, passes));
}
