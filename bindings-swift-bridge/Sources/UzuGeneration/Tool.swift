/// A function that a model may call.
///
/// The arguments are a type that is `Generable` or `Decodable`; the result is one that can be told to a model:
/// `Generable` or `Encodable`, as strings and numbers are.
public protocol Tool<Arguments, Output>: Sendable {
    associatedtype Arguments
    associatedtype Output

    /// By default the type's name.
    var name: String { get }

    /// For the model.
    var description: String { get }

    /// The schema of the arguments, by default the type's.
    var parameters: GenerationSchema { get }

    /// What is thrown is told to the model. The task is cancelled with the reply that made the call.
    func call(arguments: Arguments) async throws -> Output
}

extension Tool {
    public var name: String { "\(Self.self)" }
}

extension Tool where Arguments: Generable {
    public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool where Arguments: Decodable {
    public var parameters: GenerationSchema { GenerationSchema(decodable: Arguments.self) }
}

extension Tool where Arguments: Decodable & Generable {
    public var parameters: GenerationSchema { Arguments.generationSchema }
}
