/// What `@Generable` adds to a struct or an enum.
struct Generable {
    private let declaration: Declaration
    /// What the type's members need before them to be seen wherever the type is.
    private let access: String
    /// The argument as it is written.
    private let description: String

    init(_ expansion: CompilerMessage.Expansion) throws {
        let declaration = try Declaration(expansion.declSyntax.source)
        self.declaration = declaration
        access = ["public", "package"].first { declaration.modifiers.contains($0[...]) }.map { "\($0) " } ?? ""
        var reader = TokenReader(Lexer.tokens(of: expansion.attributeSyntax.source)[...])
        description = reader.attributes().first?.text(of: "description") ?? "nil"
    }

    func extensionText(of type: String) throws -> String {
        let members =
            switch declaration.kind {
            case .structure: structureMembers(try declaration.properties())
            case .enumeration: enumerationMembers(try declaration.cases())
            }
        return "extension \(type): Generable {\n\(members)\n}"
    }

    /// A struct has a partner whose properties may all be missing; an enum has none.
    var memberText: String {
        get throws {
            guard declaration.kind == .structure else {
                return ""
            }
            let properties = try declaration.properties()
            let fields = properties.map { "\(access)var \($0.name): \($0.wrapped).PartiallyGenerated?" }
            let reads = properties.map {
                "self.\($0.name) = try? content.value(\($0.wrapped).PartiallyGenerated.self, forProperty: \($0.key))"
            }
            return """
                \(access)struct PartiallyGenerated: ConvertibleFromGeneratedContent {
                    \(fields.joined(separator: "\n    "))

                    \(access)init(_ content: GeneratedContent) throws {
                        \(reads.joined(separator: "\n        "))
                    }
                }
                """
        }
    }

    private func structureMembers(_ properties: [Property]) -> String {
        let schemas = properties.map {
            ".init(name: \($0.key), description: \($0.description), type: \($0.type).self, guides: [\($0.guides)])"
        }
        let reads = properties.map { "self.\($0.name) = try content.value(\($0.type).self, forProperty: \($0.key))" }
        let values = properties.map { "\($0.key): self.\($0.name)" }
        return """
            \(access)static var generationSchema: GenerationSchema {
                GenerationSchema(
                    type: Self.self, description: \(description),
                    properties: [\(schemas.joined(separator: ", "))])
            }

            \(access)init(_ content: GeneratedContent) throws {
                \(reads.joined(separator: "\n    "))
            }

            \(access)var generatedContent: GeneratedContent {
                GeneratedContent(properties: [\(values.isEmpty ? ":" : values.joined(separator: ", "))])
            }
            """
    }

    private func enumerationMembers(_ cases: [Case]) -> String {
        let names = cases.map(\.text).joined(separator: ", ")
        let reads = cases.map { "case \($0.text): self = .\($0.name)" }
        let values = cases.map { "case .\($0.name): GeneratedContent(\($0.text))" }
        return """
            \(access)static var generationSchema: GenerationSchema {
                GenerationSchema(type: Self.self, description: \(description), anyOf: [\(names)] as [String])
            }

            \(access)init(_ content: GeneratedContent) throws {
                let text = try String(content)
                switch text {
                \(reads.joined(separator: "\n    "))
                default:
                    throw GeneratedContent.DecodingFailure.mismatch(
                        expected: "one of \\([\(names)] as [String])", found: text)
                }
            }

            \(access)var generatedContent: GeneratedContent {
                switch self {
                \(values.joined(separator: "\n    "))
                }
            }
            """
    }
}
