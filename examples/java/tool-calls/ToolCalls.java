import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSessionStreamChunk;
import uzu.Engine;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.ToolFunction;
import uzu.UzuTool;

record Coordinate(double latitude, double longitude) {}

/** What the model may call. */
public static final class Weather {
    @UzuTool(name = "get_location", description = "Return the coordinates of the place where the user is now.")
    public Coordinate location() {
        return new Coordinate(51.5074, -0.1278);
    }

    @UzuTool(name = "get_temperature", description = "Return the temperature in degrees Celsius at a coordinate.")
    public String temperature(double latitude, double longitude) {
        return "%.0f °C".formatted(25.0 - Math.abs(latitude) / 10);
    }
}

/** The model calls methods of this program, and answers with what they say. */
void main(String[] arguments) {
    try (Engine engine = Engine.create()) {
        Model model = engine.model(arguments.length > 0 ? arguments[0] : "huggingface:smollm2:135m:gguf:q4_1:4");
        for (var update : engine.download(model)) {}

        try (ChatSession session = engine.chat(model)) {
            session.addTools(ToolFunction.ofMethods(new Weather()));
            var question = List.of(ChatMessage.user().withText("What temperature is it now where I am?"));
            var config = ChatReplyConfig.create()
                    .withSamplingMethod(new SamplingMethod.Greedy())
                    .withTokenLimit(256);
            for (ChatSessionStreamChunk chunk : session.replyWithStream(question, config)) {
                switch (chunk) {
                    case ChatSessionStreamChunk.ToolResults(var results) ->
                        results.forEach(result -> IO.println(result.name() + " said " + result.value()));
                    case ChatSessionStreamChunk.Replies(var replies, var delta) -> {
                        ChatMessage message = replies.getFirst().message();
                        if (replies.getFirst().finishReason() != null) {
                            message.toolCalls()
                                    .forEach(call -> IO.println("calling " + call.name() + " with " + call.arguments()));
                            IO.println(message.text() == null ? "" : message.text());
                        }
                    }
                    case ChatSessionStreamChunk.Error(var error) -> throw error;
                }
            }
        }
    }
}
