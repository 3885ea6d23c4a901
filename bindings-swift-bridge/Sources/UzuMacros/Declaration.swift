/// A struct or an enum as it is written, with what of it `Generable` is about.
struct Declaration {
    enum Kind {
        case structure, enumeration
    }

    let kind: Kind
    let modifiers: Set<Substring>
    private let members: ArraySlice<Token>

    init(_ source: String) throws {
        let tokens = Lexer.tokens(of: source)
        var reader = TokenReader(tokens[...])
        _ = reader.attributes()
        modifiers = reader.modifiers()
        switch reader.next()?.text {
        case "struct": kind = .structure
        case "enum": kind = .enumeration
        default: throw NotGenerable("it is for structs and enums")
        }
        while let token = reader.peek, !token.isSign("{") {
            reader.skip()
        }
        members = reader.group()
    }

    func properties() throws -> [Property] {
        var found: [Property] = []
        try forEachMember { reader, attributes, modifiers in
            guard let word = reader.peek, word.isWord("var", "let") else {
                return false
            }
            reader.skip()
            let bindings = try Binding.list(&reader)
            if modifiers.isDisjoint(with: ["static", "class", "lazy"]) {
                for (index, binding) in bindings.enumerated()
                where binding.isStored && !(word.isWord("let") && binding.isInitialised) {
                    // `let a, b: String` has its type at the last.
                    let type = bindings[index...].lazy.compactMap(\.type).first
                    found.append(try Property(binding, type: type, attributes))
                }
            }
            return true
        }
        return found
    }

    func cases() throws -> [Case] {
        var found: [Case] = []
        try forEachMember { reader, _, _ in
            guard reader.peek?.isWord("case") == true else {
                return false
            }
            repeat {
                reader.skip()
                found.append(try Case(&reader))
            } while reader.peek?.isSign(",") == true
            return true
        }
        if found.isEmpty {
            throw NotGenerable("an enum without cases has no values")
        }
        return found
    }

    /// Hands over each member at its keyword; one that isn't taken is skipped.
    private func forEachMember(
        _ take: (inout TokenReader, [Attribute], Set<Substring>) throws -> Bool
    ) throws {
        var reader = TokenReader(members)
        while let token = reader.peek {
            if reader.takes(";") {
                continue
            }
            if token.isSign("#") {
                throw NotGenerable("which members there are may not depend on #if")
            }
            let attributes = reader.attributes()
            let modifiers = reader.modifiers()
            if try !take(&reader, attributes, modifiers) {
                reader.skipMember()
            }
        }
    }
}

/// A case of an enum, and the text that stands for it: its raw value where one is written out.
struct Case {
    let name: String
    let text: String

    fileprivate init(_ reader: inout TokenReader) throws {
        guard let token = reader.next(), token.kind == .word else {
            throw NotGenerable("a case needs a name")
        }
        name = String(token.text)
        if reader.peek?.isSign("(") == true {
            throw NotGenerable("\(name) has associated values; a struct may have them")
        }
        var raw: Token?
        if reader.takes("=") {
            _ = reader.takes("-")
            raw = reader.next()
        }
        text = raw.flatMap { $0.kind == .text ? String($0.text) : nil } ?? name.asText
    }
}

extension String {
    /// A name as text of a program.
    var asText: String {
        "\"\(filter { $0 != "`" })\""
    }
}
