import Foundation

/// A function that a model may call.
public struct ToolFunction: Sendable {
    public let name: String
    public let description: String
    /// The JSON schema of an object with the arguments, to which the engine holds them.
    public let parameters: Value
    private let handler: @Sendable (Value) async throws -> Value

    /// A function on JSON. What it throws is told to the model.
    public init(
        name: String, description: String = "", parameters: Value,
        handler: @escaping @Sendable (Value) async throws -> Value
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.handler = handler
    }

    /// Calls it as a model would.
    public func invoke(arguments: Value) async throws -> Value {
        try Task.checkCancellation()
        return try await handler(arguments)
    }

    public var declaration: ToolDeclaration {
        ToolDeclaration(name: name, description: description, parameters: parameters)
    }
}
