import Foundation
import UzuGeneration

#if !canImport(Darwin)
    // Where Apple's framework can't be, its protocols are these.
    @_exported import UzuGeneration
#endif

extension Grammar {
    /// The values of a type that has a schema; `message.textDecoded()` reads them.
    public static func fromType<T: Generable>(_ type: T.Type) -> Grammar {
        .jsonSchema(schema: type.generationSchema.debugDescription)
    }

    /// The values of a `Decodable` type; `GenerationSchema.init(decodable:)` says which have a schema. For the others a
    /// `grammarUnsupported` is thrown.
    @_disfavoredOverload
    public static func fromType<T: Decodable>(_ type: T.Type) throws -> Grammar {
        let schema = GenerationSchema(decodable: type)
        if let fault = schema.fault {
            throw UzuError.grammarUnsupported(message: fault, details: ["type": "\(type)"])
        }
        return .jsonSchema(schema: schema.debugDescription)
    }
}

extension ChatMessage {
    /// The text, which is JSON, as a value of a type that `Grammar.fromType` held the reply to; nil without a text, and
    /// when it doesn't fit.
    public func textDecoded<T: Generable>() -> T? {
        text().flatMap { try? T(GeneratedContent(json: $0)) }
    }

    @_disfavoredOverload
    public func textDecoded<T: Decodable>() -> T? {
        text().flatMap { try? JSONDecoder().decode(T.self, from: Data($0.utf8)) }
    }

    /// What there is of the text, which is JSON, while it is being made; nil at first.
    public func textDecodedPartially<T: Generable>(_ type: T.Type = T.self) -> T.PartiallyGenerated? {
        text().flatMap { GeneratedContent(partialJson: $0) }.flatMap { try? T.PartiallyGenerated($0) }
    }
}

extension ToolFunction {
    /// A tool as the engine needs it, or why it is none.
    public init<T: Tool>(_ tool: T) throws {
        let schema = tool.parameters
        if let fault = schema.fault {
            throw UzuError.invalidArgument(message: "The tool \(tool.name): \(fault)", details: ["field": "parameters"])
        }
        let read = try ToolFunction.reader(of: T.Arguments.self, for: tool.name)
        let write = try ToolFunction.writer(of: T.Output.self, for: tool.name)
        self.init(
            name: tool.name, description: tool.description, parameters: Value(json: schema.debugDescription)
        ) { arguments in
            try write(await tool.call(arguments: read(arguments)))
        }
    }

    /// A function on values of this program.
    public init<Arguments: Decodable, Result: Encodable>(
        name: String, description: String = "", arguments: Arguments.Type = Arguments.self,
        handler: @escaping @Sendable (Arguments) async throws -> Result
    ) throws {
        let schema = (arguments as? any Generable.Type)?.generationSchema ?? GenerationSchema(decodable: arguments)
        if let fault = schema.fault {
            throw UzuError.invalidArgument(message: "The tool \(name): \(fault)", details: ["field": "arguments"])
        }
        let read = try ToolFunction.reader(of: arguments, for: name)
        self.init(name: name, description: description, parameters: Value(json: schema.debugDescription)) {
            try Value(encoding: await handler(read($0)))
        }
    }

    private static func reader<A>(of type: A.Type, for name: String) throws -> @Sendable (Value) throws -> A {
        if let generable = type as? any ConvertibleFromGeneratedContent.Type {
            return { try cast(try generable.init(GeneratedContent(json: $0.json))) }
        }
        if let decodable = type as? any Decodable.Type {
            return { try cast(try JSONDecoder().decode(decodable, from: Data($0.json.utf8))) }
        }
        throw UzuError.invalidArgument(
            message: "The tool \(name): \(type) is neither Generable nor Decodable", details: ["field": "arguments"])
    }

    private static func writer<R>(of type: R.Type, for name: String) throws -> @Sendable (R) throws -> Value {
        if type == Void.self {
            return { _ in Value(json: "null") }
        }
        if type is any Encodable.Type {
            return {
                let result: any Encodable = try cast($0)
                return try Value(encoding: result)
            }
        }
        if type is any ConvertibleToGeneratedContent.Type {
            return {
                let result: any ConvertibleToGeneratedContent = try cast($0)
                return Value(json: result.generatedContent.jsonString)
            }
        }
        throw UzuError.invalidArgument(
            message: "The tool \(name): \(type) is neither Generable nor Encodable", details: ["field": "result"])
    }

    private static func cast<T>(_ value: Any) throws -> T {
        guard let value = value as? T else {
            throw UzuError.internal(message: "\(Swift.type(of: value)) isn't \(T.self)")
        }
        return value
    }
}

extension ChatSession {
    /// From the next reply on the model may call the tool, which this session runs.
    public func addTool<T: Tool>(_ tool: T) async throws {
        try await addTool(ToolFunction(tool))
    }

    public func addTools(_ tools: [any Tool]) async throws {
        for tool in tools {
            try await addTool(tool)
        }
    }
}
