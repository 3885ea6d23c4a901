/// Who a message is from; a custom role is one that the model's template knows.
public enum ChatRole: Sendable, Hashable {
    case user
    case assistant
    case system
    case developer
    case tool
    case custom(name: String)

    init(named name: String) {
        self = switch name {
        case "user": .user
        case "assistant": .assistant
        case "system": .system
        case "developer": .developer
        case "tool": .tool
        default: .custom(name: name)
        }
    }

    var name: String {
        switch self {
        case .user: "user"
        case .assistant: "assistant"
        case .system: "system"
        case .developer: "developer"
        case .tool: "tool"
        case .custom(let name): name
        }
    }
}

/// What a model is told of a tool: `parameters` is the JSON schema of an object with its arguments.
public struct ToolDeclaration: Sendable, Hashable {
    public var name: String
    public var description: String
    public var parameters: Value

    public init(
        name: String, description: String = "",
        parameters: Value = Value(json: #"{"type":"object","properties":{}}"#)
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }

    var json: Json {
        .object(["name": .string(name), "description": .string(description), "parameters": .text(parameters.json)])
    }
}

/// A call that the model makes; its result refers to the identifier. The arguments are a JSON object.
public struct ToolCall: Sendable, Hashable {
    public var identifier: String
    public var name: String
    public var arguments: Value

    public init(identifier: String, name: String, arguments: Value = Value(json: "{}")) {
        self.identifier = identifier
        self.name = name
        self.arguments = arguments
    }
}

/// What a call came to: `{"error": …}` when it failed.
public struct ToolCallResult: Sendable, Hashable {
    public var identifier: String
    public var name: String
    public var value: Value

    public init(identifier: String, name: String, value: Value) {
        self.identifier = identifier
        self.name = name
        self.value = value
    }
}

/// A part of a message. A block that the model can't take is an error that says so.
public enum ChatContentBlock: Sendable, Hashable {
    case text(value: String)
    /// What the model thought before it answered.
    case reasoning(value: String)
    /// The effort asked for from this message on.
    case reasoningEffort(value: ReasoningEffort)
    case toolCall(value: ToolCall)
    /// What began as a call and isn't one: unfinished yet, cut short or malformed.
    case toolCallCandidate(text: String)
    case toolCallResult(value: ToolCallResult)
    /// Tools that the caller runs; a reply that calls one ends with `.toolCalls`.
    case tools(tools: [ToolDeclaration])
    /// A field that only this model's template knows.
    case custom(name: String, value: Value)
    /// By path, URL or data URL, as the next three.
    case image(url: String)
    case audio(url: String)
    case video(url: String)
    case file(url: String)

    var json: Json {
        switch self {
        case .text(let value): Self.block("text", ["text": .string(value)])
        case .reasoning(let value): Self.block("reasoning", ["text": .string(value)])
        case .reasoningEffort(let value): Self.block("reasoning_effort", ["effort": .string(value.rawValue)])
        case .toolCall(let call):
            .object([
                "type": .string("tool_call"), "identifier": .string(call.identifier), "name": .string(call.name),
                "arguments": .string(call.arguments.json),
            ])
        case .toolCallCandidate(let text): Self.block("tool_call_candidate", ["text": .string(text)])
        case .toolCallResult(let result):
            .object([
                "type": .string("tool_call_result"), "identifier": .string(result.identifier),
                "name": .string(result.name), "value": .string(result.value.json),
            ])
        case .tools(let tools): Self.block("tools", ["tools": .array(tools.map(\.json))])
        case .custom(let name, let value):
            .object(["type": .string("custom"), "name": .string(name), "value": .string(value.json)])
        case .image(let url): Self.block("image", ["source": .string(url)])
        case .audio(let url): Self.block("audio", ["source": .string(url)])
        case .video(let url): Self.block("video", ["source": .string(url)])
        case .file(let url): Self.block("file", ["source": .string(url)])
        }
    }

    private static func block(_ type: String, _ field: KeyValuePairs<String, Json>) -> Json {
        .object(["type": .string(type), field[0].key: field[0].value])
    }
}

/// A block as the engine writes it; which fields there are depends on the type.
struct BlockJson: Decodable, Sendable {
    let type: String
    let text: String?
    let effort: String?
    let identifier: String?
    let name: String?
    let arguments: String?
    let value: String?
    let source: String?
    let tools: [DeclarationJson]?

    func block() throws -> ChatContentBlock {
        switch type {
        case "text": .text(value: text ?? "")
        case "reasoning": .reasoning(value: text ?? "")
        case "reasoning_effort": .reasoningEffort(value: try known(effort ?? ""))
        case "tool_call":
            .toolCall(
                value: ToolCall(
                    identifier: identifier ?? "", name: name ?? "", arguments: Value(json: arguments ?? "{}")))
        case "tool_call_candidate": .toolCallCandidate(text: text ?? "")
        case "tool_call_result": .toolCallResult(value: result())
        case "tools":
            .tools(tools: (tools ?? []).map(\.declaration))
        case "custom": .custom(name: name ?? "", value: Value(json: value ?? "null"))
        case "image": .image(url: source ?? "")
        case "audio": .audio(url: source ?? "")
        case "video": .video(url: source ?? "")
        case "file": .file(url: source ?? "")
        default: throw UzuError.internal(message: "The engine says \(type), which is no block of a message")
        }
    }

    func result() -> ToolCallResult {
        ToolCallResult(identifier: identifier ?? "", name: name ?? "", value: Value(json: value ?? "null"))
    }
}

struct DeclarationJson: Decodable, Sendable {
    let name: String
    let description: String?
    let parameters: AnyJson

    var declaration: ToolDeclaration {
        ToolDeclaration(name: name, description: description ?? "", parameters: parameters.value)
    }
}
