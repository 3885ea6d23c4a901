// The declarations of Apple's FoundationModels that Sources/Uzu/AppleGeneration.swift uses, to compile that file where
// the framework isn't. Nothing here runs.

public protocol InstructionsRepresentable {}

public protocol PromptRepresentable {}

public protocol ConvertibleFromGeneratedContent {
    init(_ content: GeneratedContent) throws
}

public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
    var generatedContent: GeneratedContent { get }
}

public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
    associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self
    static var generationSchema: GenerationSchema { get }
}

public struct GenerationSchema: Sendable, Codable, CustomDebugStringConvertible {
    public var debugDescription: String { fatalError() }

    public init(from decoder: any Decoder) throws { fatalError() }

    public func encode(to encoder: any Encoder) throws { fatalError() }
}

public struct GeneratedContent: Sendable, Equatable, Generable, CustomDebugStringConvertible {
    public static var generationSchema: GenerationSchema { fatalError() }

    public init(_ content: GeneratedContent) throws { fatalError() }

    public init(json: String) throws { fatalError() }

    public var jsonString: String { fatalError() }

    public var generatedContent: GeneratedContent { fatalError() }

    public var debugDescription: String { fatalError() }
}

public protocol Tool<Arguments, Output>: Sendable {
    associatedtype Output: PromptRepresentable
    associatedtype Arguments: ConvertibleFromGeneratedContent

    var name: String { get }
    var description: String { get }
    var parameters: GenerationSchema { get }
    var includesSchemaInInstructions: Bool { get }

    func call(arguments: Arguments) async throws -> Output
}

extension String: Generable {
    public static var generationSchema: GenerationSchema { fatalError() }

    public init(_ content: GeneratedContent) throws { fatalError() }

    public var generatedContent: GeneratedContent { fatalError() }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {}

extension Array: PromptRepresentable where Element: PromptRepresentable {}

extension Array: ConvertibleToGeneratedContent where Element: ConvertibleToGeneratedContent {
    public var generatedContent: GeneratedContent { fatalError() }
}

extension Array: ConvertibleFromGeneratedContent where Element: ConvertibleFromGeneratedContent {
    public init(_ content: GeneratedContent) throws { fatalError() }
}

extension Array: Generable where Element: Generable {
    public static var generationSchema: GenerationSchema { fatalError() }
}
