import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.Engine;
import uzu.Grammar;
import uzu.Model;
import uzu.ReasoningEffort;
import uzu.SamplingMethod;

record Country(String name, String capital) {}

record CountryList(List<Country> countries) {}

/** The reply is JSON of a type of this program, whatever the model, and becomes a value of it. */
void main(String[] arguments) {
    try (Engine engine = Engine.create()) {
        Model model = engine.model(arguments.length > 0 ? arguments[0] : "huggingface:smollm2:135m:gguf:q4_1:4");
        for (var update : engine.download(model)) {}

        try (ChatSession session = engine.chat(model)) {
            List<ChatMessage> messages = List.of(
                    ChatMessage.system().withReasoningEffort(ReasoningEffort.DISABLED),
                    ChatMessage.user()
                            .withText("Give me a JSON object with a list of 3 countries, each with name and capital"));
            var config = ChatReplyConfig.create()
                    .withTokenLimit(256)
                    .withSamplingMethod(new SamplingMethod.Greedy())
                    .withGrammar(Grammar.fromType(CountryList.class));
            ChatMessage message = session.reply(messages, config).getLast().message();
            IO.println(message.text());
            CountryList list = message.textDecoded(CountryList.class);
            for (Country country : list.countries()) {
                IO.println("The capital of " + country.name() + " is " + country.capital());
            }
        }
    }
}
