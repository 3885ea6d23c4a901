import FoundationModels
import Uzu

// The reply is JSON of a type of this program, whatever the model, and becomes a value of it.
@Generable
struct Country {
    let name: String
    let capital: String
}

@Generable
struct CountryList {  // or a Codable type, [Country]
    let countries: [Country]
}

let identifier = CommandLine.arguments.dropFirst().first ?? "huggingface:smollm2:135m:gguf:q4_1:4"
let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: identifier) else {
    fatalError("Model not found")
}
for try await _ in try await engine.download(model: model).iterator() {}

let session = try await engine.chat(model: model, config: .create())
let messages = [
    ChatMessage.system().withReasoningEffort(reasoningEffort: .disabled),
    ChatMessage.user().withText(
        text: "Give me a JSON object with a list of 3 countries, each with name and capital"),
]
let config = ChatReplyConfig.create()
    .withTokenLimit(tokenLimit: 256)
    .withGrammar(grammar: .fromType(CountryList.self))
    .withSamplingMethod(samplingMethod: .greedy)
guard let message = try await session.reply(input: messages, config: config).last?.message else {
    fatalError("No reply")
}
print(message.text() ?? "")
let found: CountryList? = message.textDecoded()
for country in found?.countries ?? [] {
    print("The capital of \(country.name) is \(country.capital)")
}
