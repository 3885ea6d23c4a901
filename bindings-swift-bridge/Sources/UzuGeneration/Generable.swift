/// What can be read from a model's answer.
public protocol ConvertibleFromGeneratedContent {
    init(_ content: GeneratedContent) throws
}

/// What can be told to a model.
public protocol ConvertibleToGeneratedContent {
    var generatedContent: GeneratedContent { get }
}

/// A type whose values a model can make: it has a schema. The macro `@Generable` conforms structs and enums to it.
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
    /// The same while it is being made.
    associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

    static var generationSchema: GenerationSchema { get }
}

extension GeneratedContent: Generable {
    public init(_ content: GeneratedContent) { self = content }

    public var generatedContent: GeneratedContent { self }

    /// Anything.
    public static var generationSchema: GenerationSchema { GenerationSchema(.plain([])) }
}

extension Bool: Generable {
    public init(_ content: GeneratedContent) throws {
        guard case .bool(let value) = content.kind else { throw mismatch("true or false", content) }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .bool(self)) }

    public static var generationSchema: GenerationSchema { GenerationSchema(.plain([.type("boolean")])) }
}

extension String: Generable {
    public init(_ content: GeneratedContent) throws {
        guard case .string(let value) = content.kind else { throw mismatch("a string", content) }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .string(self)) }

    public static var generationSchema: GenerationSchema { GenerationSchema(.plain([.type("string")])) }
}

extension Int: Generable {
    public init(_ content: GeneratedContent) throws {
        guard case .number(let number) = content.kind, let value = Int(exactly: number) else {
            throw mismatch("a whole number", content)
        }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }

    public static var generationSchema: GenerationSchema { GenerationSchema(.plain([.type("integer")])) }
}

extension Double: Generable {
    public init(_ content: GeneratedContent) throws {
        guard case .number(let value) = content.kind else { throw mismatch("a number", content) }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(self)) }

    public static var generationSchema: GenerationSchema { GenerationSchema(.plain([.type("number")])) }
}

extension Float: Generable {
    public init(_ content: GeneratedContent) throws {
        self = Float(try Double(content))
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(Double(self))) }

    public static var generationSchema: GenerationSchema { Double.generationSchema }
}

extension Array: ConvertibleFromGeneratedContent where Element: ConvertibleFromGeneratedContent {
    public init(_ content: GeneratedContent) throws {
        guard case .array(let values) = content.kind else { throw mismatch("an array", content) }
        self = try values.map { try Element($0) }
    }
}

extension Array: ConvertibleToGeneratedContent where Element: ConvertibleToGeneratedContent {
    public var generatedContent: GeneratedContent { GeneratedContent(kind: .array(map(\.generatedContent))) }
}

extension Array: Generable where Element: Generable {
    public typealias PartiallyGenerated = [Element.PartiallyGenerated]

    public static var generationSchema: GenerationSchema { GenerationSchema(.array(Element.self, [], items: [])) }
}

extension Optional: ConvertibleToGeneratedContent where Wrapped: ConvertibleToGeneratedContent {
    public var generatedContent: GeneratedContent { self?.generatedContent ?? GeneratedContent(kind: .null) }
}

private func mismatch(_ expected: String, _ content: GeneratedContent) -> GeneratedContent.DecodingFailure {
    .mismatch(expected: expected, found: content.jsonString)
}
