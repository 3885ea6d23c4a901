import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.DownloaderStreamUpdate;
import uzu.Engine;
import uzu.Model;

/** A model is found, fetched, loaded, and asked once. */
void main() {
    try (Engine engine = Engine.create()) {
        Model model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4");
        for (DownloaderStreamUpdate update : engine.download(model)) {
            IO.print("\rDownload progress: %.0f%%".formatted(100 * update.progress()));
        }
        IO.println();

        try (ChatSession session = engine.chat(model)) {
            List<ChatMessage> messages = List.of(
                    ChatMessage.system().withText("You are a helpful assistant"),
                    ChatMessage.user().withText("Tell me a short story about a tiny robot"));
            var replies = session.reply(messages, ChatReplyConfig.create().withTokenLimit(256));
            IO.println(replies.getLast().message().text());
        }
    }
}
