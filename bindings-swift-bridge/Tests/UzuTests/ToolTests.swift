import Foundation
import FoundationModels
import Testing
import Uzu

private enum Caller {
    @TaskLocal static var name = "nobody"
}

private struct Weather: Tool {
    let description = "Return the weather of a city."

    struct Arguments: Codable {
        let city: String
    }

    func call(arguments: Arguments) async throws -> String {
        "\(Caller.name) says: rain in \(arguments.city)"
    }
}

private struct Broken: Tool {
    let name = "broken"
    let description = "Always fails."

    @Generable
    struct Arguments {}

    struct Fault: LocalizedError {
        var errorDescription: String? { "nothing works today" }
    }

    func call(arguments: Arguments) async throws -> Int {
        throw Fault()
    }
}

private struct Odd: Tool {
    let description = "Has arguments that no model could make."

    func call(arguments: Shape) async throws -> String { "" }
}

@Suite struct ToolTests {
    private func results(of session: ChatSession, _ text: String) async throws -> [ToolCallResult] {
        let config = greedy(80).withToolChoice(toolChoice: .required).withParallelToolCalls(parallelToolCalls: false)
        var found: [ToolCallResult] = []
        for try await chunk in await session.replyWithStream(input: question(text), config: config).iterator() {
            switch chunk {
            case .toolResults(let results): found += results
            case .replies: break
            case .error(let error): throw error
            }
        }
        return found
    }

    @Test func aToolRunsInTheContextOfWhoAsked() async throws {
        let session = try await Loaded.session()
        #expect(try await session.supportsToolCalls())
        try await session.addTool(Weather())
        let found = try await Caller.$name.withValue("Ada") {
            try await results(of: session, "What is the weather in Paris?")
        }
        let value: String = try #require(found.first).value.decoded()
        #expect(found.first?.name == "Weather")
        #expect(value.hasPrefix("Ada says: rain in "))
        let calls = try await session.messages().flatMap { $0.toolCalls() }
        #expect(calls.first?.name == "Weather")
    }

    @Test func whatAToolThrowsIsToldToTheModel() async throws {
        let session = try await Loaded.session()
        try await session.addTools([Broken()])
        let found = try await results(of: session, "Call the tool")
        #expect(found.first?.value.json.contains("nothing works today") == true)
    }

    @Test func functionsAreToolsToo() async throws {
        struct Sum: Codable {
            let left: Int
            let right: Int
        }
        let add = try ToolFunction(name: "add", description: "Add two numbers.") { (sum: Sum) in sum.left + sum.right }
        #expect(try await add.invoke(arguments: Value(json: #"{"left":20,"right":22}"#)).json == "42")
        #expect(add.parameters.json.contains(#""left":{"type":"integer"}"#))
        let echo = ToolFunction(name: "echo", parameters: Value(json: #"{"type":"object"}"#)) { $0 }
        #expect(try await echo.invoke(arguments: Value(json: "{}")).json == "{}")
        let session = try await Loaded.session()
        try await session.addTools([add, echo])
        #expect(throws: UzuError.self) { try ToolFunction(Odd()) }
    }

    @Test func callsOfToolsThatTheCallerRunsAreHandedOver() async throws {
        let declared = ToolDeclaration(
            name: "look", description: "Looks something up.",
            parameters: Value(json: #"{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}"#))
        let session = try await Loaded.session()
        let input = [
            ChatMessage.system().withBlock(block: .tools(tools: [declared])),
            ChatMessage.user().withText(text: "Look up Ada Lovelace"),
        ]
        let config = greedy(80).withToolChoice(toolChoice: .named(name: "look"))
        let reply = try #require(try await session.reply(input: input, config: config).last)
        #expect(reply.finishReason == .toolCalls)
        let call = try #require(reply.message.toolCalls().first)
        #expect(call.name == "look")
        struct Arguments: Decodable {
            let what: String
        }
        #expect(throws: Never.self) { try call.arguments.decoded(as: Arguments.self) }
        let found = Value(json: #""A mathematician""#)
        let result = ToolCallResult(identifier: call.identifier, name: "look", value: found)
        let answer = ChatMessage.tool().withBlock(block: .toolCallResult(value: result))
        let last = try await session.reply(input: [answer], config: greedy(12)).last
        #expect(last?.message.text() != nil)
    }
}
