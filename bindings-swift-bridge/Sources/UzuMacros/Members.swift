import SwiftSyntax

/// A stored property of a struct.
struct Property {
    let name: String
    let type: String
    /// The type without its question mark.
    let wrapped: String
    /// The name as text of a program.
    let key: String
    /// The guide's, as it is written; `nil` without.
    let description: String
    let guides: String

    static func all(in structure: StructDeclSyntax) throws -> [Property] {
        try structure.memberBlock.members
            .compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter { !$0.modifiers.contains { ["static", "lazy"].contains($0.name.text) } }
            .flatMap { declaration in
                try declaration.bindings
                    .filter { isStored($0) && !(isConstant(declaration) && $0.initializer != nil) }
                    .map { try Property($0, declaration) }
            }
    }

    private init(_ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax) throws {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            throw NotGenerable(description: "@Generable: each property has a name of its own")
        }
        name = pattern.identifier.text
        key = "\"\(name.filter { $0 != "`" })\""
        // `let a, b: String` has its type at the last.
        let annotation = binding.typeAnnotation ?? declaration.bindings.last?.typeAnnotation
        guard let type = annotation?.type else {
            throw NotGenerable(description: "@Generable: \(name) needs its type written out")
        }
        self.type = type.trimmedDescription
        wrapped = Property.wrapped(type) ?? self.type
        let guide = declaration.attributes
            .compactMap { $0.as(AttributeSyntax.self) }
            .first { $0.attributeName.trimmedDescription.split(separator: ".").last == "Guide" }
        description = guide.flatMap { literal(of: "description", in: $0) } ?? "nil"
        guides = (guide?.arguments?.as(LabeledExprListSyntax.self) ?? [])
            .filter { $0.label == nil }
            .map { Property.guide($0.expression) }
            .joined(separator: ", ")
    }

    /// A regular expression is short for a pattern.
    private static func guide(_ expression: ExprSyntax) -> String {
        expression.is(RegexLiteralExprSyntax.self)
            ? ".pattern(\(expression.trimmedDescription))" : expression.trimmedDescription
    }

    private static func wrapped(_ type: TypeSyntax) -> String? {
        if let optional = type.as(OptionalTypeSyntax.self) {
            return optional.wrappedType.trimmedDescription
        }
        guard let named = type.as(IdentifierTypeSyntax.self), named.name.text == "Optional" else {
            return nil
        }
        return named.genericArgumentClause?.arguments.first?.argument.trimmedDescription
    }

    private static func isConstant(_ declaration: VariableDeclSyntax) -> Bool {
        declaration.bindingSpecifier.tokenKind == .keyword(.let)
    }

    /// Neither computed; observers are fine.
    private static func isStored(_ binding: PatternBindingSyntax) -> Bool {
        guard let block = binding.accessorBlock else {
            return true
        }
        let list = block.accessors.as(AccessorDeclListSyntax.self) ?? []
        return !list.isEmpty && list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}

/// A case of an enum, and the text that stands for it: its raw value where one is written out.
struct Case {
    let name: String
    let text: String

    static func all(in enumeration: EnumDeclSyntax) throws -> [Case] {
        let elements = enumeration.memberBlock.members
            .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap(\.elements)
        if elements.isEmpty {
            throw NotGenerable(description: "@Generable: an enum without cases has no values")
        }
        return try elements.map { element in
            let name = element.name.text
            guard element.parameterClause == nil else {
                throw NotGenerable(description: "@Generable: \(name) has associated values; a struct may have them")
            }
            let raw = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.trimmedDescription
            return Case(name: name, text: raw ?? "\"\(name.filter { $0 != "`" })\"")
        }
    }
}
