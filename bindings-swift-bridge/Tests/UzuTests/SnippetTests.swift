import Foundation
import FoundationModels
import Uzu
import XCTest

@Generable()
private struct Country: Codable {
    let name: String
    let capital: String
}

@Generable
private struct Coordinate: Codable, Sendable {
    @Guide(description: "Latitude in degrees.")
    let latitude: Double

    @Guide(description: "Longitude in degrees.")
    let longitude: Double
}

private struct GetCurrentLocation: Tool {
    let description = "Returns the location of the user"

    @Generable
    struct Arguments {
    }

    func call(arguments: Arguments) async throws -> Coordinate {
        Coordinate(latitude: 51.5074, longitude: -0.1278)
    }
}

private struct GetCurrentTemperature: Tool {
    let description = "Returns the temperature at a location"

    func call(arguments: Coordinate) async throws -> Double {
        25.0
    }
}

/// Programs as they are written for uzu 0.6, but for the model.
final class SnippetTests: XCTestCase {
    func testAFirstProgram() async throws {
        let engineConfig = EngineConfig.create()
        let engine = try await Engine.create(config: engineConfig)
        guard let model = try await engine.model(identifier: Loaded.identifier) else {
            return XCTFail("no model")
        }
        for try await update in try await engine.download(model: model).iterator() {
            print("Download progress: \(update.progress())")
        }
        let messages = [
            ChatMessage.system().withText(text: "You are a helpful assistant"),
            ChatMessage.user().withText(text: "Tell me about a robot"),
        ]
        let session = try await engine.chat(model: model, config: .create())
        let stream = await session.replyWithStream(input: messages, config: .create().withTokenLimit(tokenLimit: 16))
        var message: ChatMessage? = nil
        for try await update in stream.iterator() {
            switch update {
            case .replies(let replies):
                message = replies.last?.message
                XCTAssertGreaterThan(replies.last?.stats.tokensCountOutput ?? 0, 0)
            case .toolResults(let results):
                XCTFail("\(results)")
            case .error(let error):
                XCTFail("\(error)")
            }
        }
        XCTAssertNil(message?.reasoning())
        XCTAssertNotNil(message?.text())
    }

    func testStructuredOutput() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let messages = [
            ChatMessage.system().withReasoningEffort(reasoningEffort: .disabled),
            ChatMessage.user().withText(text: "Give me a JSON list of 2 countries, each with name and capital"),
        ]
        let session = try await engine.chat(model: model, config: .create())
        let reply = try await session.reply(
            input: messages,
            config: .create().withTokenLimit(tokenLimit: 200).withGrammar(grammar: .fromType([Country].self)))
        guard let message = reply.last?.message else {
            return XCTFail("no reply")
        }
        guard let countries: [Country] = message.textDecoded() else {
            return XCTFail("no countries: \(message.text() ?? "")")
        }
        XCTAssertFalse(countries.contains { $0.name.isEmpty && $0.capital.isEmpty })
    }

    func testTools() async throws {
        let session = try await Loaded.engine.chat(model: Loaded.model, config: .create())
        try await session.addTool(GetCurrentLocation())
        try await session.addTool(GetCurrentTemperature())
        let messages = [ChatMessage.user().withText(text: "What temperature is it now at my location?")]
        let config = ChatReplyConfig.create().withSamplingMethod(samplingMethod: .greedy)
        let replies = try await session.reply(input: messages, config: config.withTokenLimit(tokenLimit: 80))
        XCTAssertNotNil(replies.last?.message)
    }

    func testSharedInstance() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let chatInstance = try await engine.chatInstance(model: model, config: .create())
        let session = try await engine.chatWithInstance(instance: chatInstance)
        let replies = try await session.reply(
            input: [ChatMessage.user().withText(text: "What is the capital of France?")],
            config: .create().withTokenLimit(tokenLimit: 8))
        XCTAssertNotNil(replies.last?.message.text())
    }

    func testClassificationWithSpeculation() async throws {
        let feature = Feature(name: "sentiment", values: ["Happy", "Sad", "Angry"])
        let chatConfig = ChatConfig.create().withSpeculationPreset(speculationPreset: .classification(feature: feature))
        let session = try await Loaded.engine.chat(model: Loaded.model, config: chatConfig)
        let prompt = "Text is: \"What a day!\". Choose \(feature.name) from: \(feature.values.joined(separator: ", "))."
        let chatReplyConfig = ChatReplyConfig.create().withTokenLimit(tokenLimit: 8)
            .withSamplingMethod(samplingMethod: .greedy)
        let replies = try await session.reply(
            input: [ChatMessage.user().withText(text: prompt)], config: chatReplyConfig)
        XCTAssertGreaterThan(replies.last?.stats.tokensCountOutput ?? 0, 0)
        XCTAssertNotNil(replies.last?.stats.speculatorStats)
    }
}
