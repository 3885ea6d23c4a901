/// One of the names that a `let` or `var` declares.
struct Binding {
    let name: String
    let type: ArraySlice<Token>?
    let isInitialised: Bool
    /// Neither computed; observers are fine.
    let isStored: Bool

    /// From behind the keyword to the end of the statement.
    static func list(_ reader: inout TokenReader) throws -> [Binding] {
        var found: [Binding] = []
        repeat {
            guard let token = reader.next(), token.kind == .word else {
                throw NotGenerable("each property has a name of its own")
            }
            let type = reader.takes(":") ? reader.taken { skipType(&$0) } : nil
            let isInitialised = reader.takes("=")
            if isInitialised {
                skipValue(&reader)
            }
            var isStored = true
            if reader.peek?.isSign("{") == true {
                isStored = isObservers(reader.group())
            }
            found.append(
                Binding(name: String(token.text), type: type, isInitialised: isInitialised, isStored: isStored))
        } while reader.takes(",")
        return found
    }

    private static func skipType(_ reader: inout TokenReader) {
        var depth = 0
        var last: Token?
        while let token = reader.peek, depth > 0 || !token.isSign("=,{;") {
            if depth == 0, last != nil, reader.isEndOfStatement {
                return
            }
            if token.isSign("<") {
                depth += 1
            } else if token.isSign(">"), last?.isSign("-") != true {
                depth -= 1
            }
            reader.skip()
            last = token
        }
    }

    private static func skipValue(_ reader: inout TokenReader) {
        var isBegun = false
        while let token = reader.peek, !token.isSign(",;") {
            if isBegun, reader.isEndOfStatement {
                return
            }
            if isBegun, token.isSign("{") {
                var ahead = reader
                if isObservers(ahead.group()) {
                    return
                }
            }
            reader.skip()
            isBegun = true
        }
    }

    private static func isObservers(_ block: ArraySlice<Token>) -> Bool {
        var reader = TokenReader(block)
        _ = reader.attributes()
        return reader.peek?.isWord("willSet", "didSet") == true
    }
}

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

    init(_ binding: Binding, type: ArraySlice<Token>?, _ attributes: [Attribute]) throws {
        name = binding.name
        key = name.asText
        guard let type else {
            throw NotGenerable("\(name) needs its type written out")
        }
        self.type = TokenReader.text(type)
        wrapped = Property.wrapped(type) ?? self.type
        let guide = attributes.first { $0.name == "Guide" }
        description = guide?.text(of: "description") ?? "nil"
        guides = (guide?.arguments ?? [])
            .filter { $0.label == nil }
            // A regular expression is short for a pattern.
            .map { $0.value.first?.kind == .regex ? ".pattern(\($0.text))" : $0.text }
            .joined(separator: ", ")
    }

    private static func wrapped(_ type: ArraySlice<Token>) -> String? {
        if type.last?.isSign("?") == true {
            return TokenReader.text(type.dropLast())
        }
        let isOptional = type.first?.isWord("Optional") == true && type.dropFirst().first?.isSign("<") == true
        return isOptional ? TokenReader.text(type.dropFirst(2).dropLast()) : nil
    }
}
