import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSessionStreamChunk;
import uzu.Engine;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.ToolChoice;
import uzu.ToolFunction;

record Nothing() {}

record Coordinate(double latitude, double longitude) {}

static final List<ToolFunction> TOOLS = List.of(
        ToolFunction.of(
                "get_location",
                "Return the coordinates of the place where the user is now.",
                Nothing.class,
                nothing -> new Coordinate(51.5074, -0.1278)),
        ToolFunction.of(
                "get_temperature",
                "Return the temperature in degrees Celsius at a coordinate.",
                Coordinate.class,
                place -> "%.0f °C".formatted(25.0 - Math.abs(place.latitude()) / 10)));

/** The model calls functions of this program, and answers with what they say. */
void main(String[] arguments) {
    try (Engine engine = Engine.create()) {
        Model model = engine.model(arguments.length > 0 ? arguments[0] : "huggingface:smollm2:135m:gguf:q4_1:4");
        for (var update : engine.download(model)) {}

        try (ChatSession session = engine.chat(model)) {
            session.addTools(TOOLS);
            var question = List.of(ChatMessage.user().withText("Where am I, and what temperature is it there?"));
            // Small models rather guess than ask: here they have to.
            var config = ChatReplyConfig.create()
                    .withToolChoice(new ToolChoice.Required())
                    .withSamplingMethod(new SamplingMethod.Greedy())
                    .withTokenLimit(256);
            for (ChatSessionStreamChunk chunk : session.replyWithStream(question, config)) {
                switch (chunk) {
                    case ChatSessionStreamChunk.ToolResults(var results) ->
                        results.forEach(result -> IO.println(result.name() + " said " + result.value()));
                    case ChatSessionStreamChunk.Replies(var replies, var delta) -> report(replies.getFirst());
                    case ChatSessionStreamChunk.Error(var error) -> throw error;
                }
            }
        }
    }
}

static void report(ChatReply reply) {
    if (reply.finishReason() != null) {
        reply.message().toolCalls().forEach(call -> IO.println("calling " + call.name() + " " + call.arguments()));
        IO.println(reply.message().text() == null ? "" : reply.message().text());
    }
}
