import Foundation
import FoundationModels
import Uzu

// The model calls functions of this program, and answers with what they say.
@Generable
struct Coordinate: Codable {
    @Guide(description: "As get_location returns it.")
    let latitude: Double
    let longitude: Double
}

struct Location: Tool {
    let name = "get_location"
    let description = "Return the coordinates of the place where the user is now."

    @Generable
    struct Arguments {}

    func call(arguments: Arguments) async throws -> Coordinate {
        Coordinate(latitude: 51.5074, longitude: -0.1278)
    }
}

struct Temperature: Tool {
    let name = "get_temperature"
    let description = "Return the temperature in degrees Celsius at a coordinate."

    func call(arguments: Coordinate) async throws -> String {
        String(format: "%.0f °C", 25 - abs(arguments.latitude) / 10)
    }
}

let identifier = CommandLine.arguments.dropFirst().first ?? "huggingface:smollm2:135m:gguf:q4_1:4"
let engine = try await Engine.create(config: .create())
guard let model = try await engine.model(identifier: identifier) else {
    fatalError("Model not found")
}
for try await _ in try await engine.download(model: model).iterator() {}

let session = try await engine.chat(model: model, config: .create())
try await session.addTools([Location(), Temperature()])
let question = ChatMessage.user().withText(text: "Where am I, and what temperature is it there?")
// Small models rather guess than ask: here they have to.
let config = ChatReplyConfig.create()
    .withTokenLimit(tokenLimit: 256)
    .withToolChoice(toolChoice: .required)
    .withSamplingMethod(samplingMethod: .greedy)
for try await chunk in await session.replyWithStream(input: [question], config: config).iterator() {
    switch chunk {
    case .toolResults(let results):
        results.forEach { print("\($0.name) said \($0.value)") }
    case .replies(let replies) where replies[0].finishReason != nil:
        replies[0].message.toolCalls().forEach { print("calling \($0.name) with \($0.arguments)") }
        print(replies[0].message.text() ?? "")
    case .replies: break
    case .error(let error): throw error
    }
}
