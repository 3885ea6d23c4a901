import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

struct NotGenerable: Error, CustomStringConvertible {
    let description: String
}

/// Conforms a struct or an enum to `Generable`.
struct GenerableMacro: ExtensionMacro, MemberMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let access = Access(declaration)
        let description = literal(of: "description", in: node) ?? "nil"
        let members: String
        if let structure = declaration.as(StructDeclSyntax.self) {
            members = extensionMembers(try Property.all(in: structure), access, description)
        } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
            members = extensionMembers(try Case.all(in: enumeration), access, description)
        } else {
            throw NotGenerable(description: "@Generable is for structs and enums")
        }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Generable {\n\(raw: members)\n}")]
    }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            return []
        }
        let access = Access(declaration)
        let properties = try Property.all(in: structure)
        let fields = properties.map { "\(access)var \($0.name): \($0.wrapped).PartiallyGenerated?" }
        let reads = properties.map {
            "self.\($0.name) = try? content.value(\($0.wrapped).PartiallyGenerated.self, forProperty: \($0.key))"
        }
        return [
            """
            \(raw: access)struct PartiallyGenerated: ConvertibleFromGeneratedContent {
                \(raw: fields.joined(separator: "\n    "))

                \(raw: access)init(_ content: GeneratedContent) throws {
                    \(raw: reads.joined(separator: "\n        "))
                }
            }
            """
        ]
    }

    private static func extensionMembers(_ properties: [Property], _ access: Access, _ description: String) -> String {
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

    private static func extensionMembers(_ cases: [Case], _ access: Access, _ description: String) -> String {
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

/// The argument as it is written.
func literal(of label: String, in attribute: AttributeSyntax) -> String? {
    attribute.arguments?.as(LabeledExprListSyntax.self)?
        .first { $0.label?.text == label }?.expression.trimmedDescription
}

/// What the type's members need before them to be seen wherever the type is.
private struct Access: CustomStringConvertible {
    let description: String

    init(_ declaration: some DeclGroupSyntax) {
        let words = declaration.modifiers.map(\.name.text)
        description = ["public", "package"].first { words.contains($0) }.map { "\($0) " } ?? ""
    }
}
