/// Goes through tokens.
struct TokenReader {
    private static let keywords: Set<Substring> = [
        "struct", "enum", "class", "actor", "protocol", "extension", "var", "let", "func", "init", "deinit", "case",
        "subscript", "typealias", "import", "macro", "operator", "associatedtype",
    ]

    private let tokens: ArraySlice<Token>
    private var at: Int

    init(_ tokens: ArraySlice<Token>) {
        self.tokens = tokens
        at = tokens.startIndex
    }

    var peek: Token? { at < tokens.endIndex ? tokens[at] : nil }

    private var following: Token? { at + 1 < tokens.endIndex ? tokens[at + 1] : nil }

    mutating func next() -> Token? {
        defer { at = min(at + 1, tokens.endIndex) }
        return peek
    }

    /// Takes the next token if it is this sign.
    mutating func takes(_ sign: String) -> Bool {
        guard let token = peek, token.isSign(sign) else {
            return false
        }
        at += 1
        return true
    }

    /// The next token, or all from a bracket to the one that closes it.
    mutating func skip() {
        if let token = peek, token.isSign("([{") {
            _ = group()
        } else {
            _ = next()
        }
    }

    /// What is inside the bracket that comes next.
    mutating func group() -> ArraySlice<Token> {
        let start = at + 1
        var depth = 0
        while let token = next() {
            if token.isSign("([{") {
                depth += 1
            } else if token.isSign(")]}") {
                depth -= 1
            }
            if depth == 0 {
                return tokens[start..<at - 1]
            }
        }
        return tokens[min(start, at)..<at]
    }

    /// What is taken meanwhile.
    mutating func taken(_ take: (inout TokenReader) -> Void) -> ArraySlice<Token> {
        let start = at
        take(&self)
        return tokens[start..<at]
    }

    mutating func attributes() -> [Attribute] {
        var found: [Attribute] = []
        while takes("@") {
            var name = next()
            while takes(".") {
                name = next()
            }
            var arguments: [Attribute.Argument] = []
            if let name, let bracket = peek, bracket.isSign("("), bracket.text.startIndex == name.text.endIndex {
                arguments = TokenReader.arguments(group())
            }
            found.append(Attribute(name: String(name?.text ?? ""), arguments: arguments))
        }
        return found
    }

    /// Words before the keyword of a declaration, `private(set)` for instance.
    mutating func modifiers() -> Set<Substring> {
        var found: Set<Substring> = []
        while let token = peek, token.kind == .word {
            // `class func` and `class var` are of the type; a class has a name.
            let isModifier = token.isWord("class") && following?.isWord("func", "var") == true
            if TokenReader.keywords.contains(token.text) && !isModifier {
                break
            }
            found.insert(token.text)
            skip()
            if peek?.isSign("(") == true {
                skip()
            }
        }
        return found
    }

    /// A function, a type, an alias: to the end of its body, or of its line where it has none.
    mutating func skipMember() {
        let hasBody = peek?.isWord("typealias", "import") != true
        skip()
        while let token = peek, !token.isSign(";"), hasBody || !isEndOfStatement {
            skip()
            if hasBody && token.isSign("{") {
                return
            }
        }
    }

    /// Whether the next token begins something new: it is the first of its line, and neither it nor the last one goes on.
    var isEndOfStatement: Bool {
        guard let token = peek else {
            return true
        }
        guard token.isFirstOfLine, at > tokens.startIndex else {
            return false
        }
        let last = tokens[at - 1]
        let goesOn = last.kind == .sign && !last.isSign(")]}?!>")
        let isGoneOnWith = token.isWord("as", "is") || token.kind == .sign && !token.isSign("@#}")
        return !goesOn && !isGoneOnWith
    }

    /// What is between the commas, each with its label.
    private static func arguments(_ tokens: ArraySlice<Token>) -> [Attribute.Argument] {
        var found: [Attribute.Argument] = []
        var reader = TokenReader(tokens)
        while reader.peek != nil {
            var value = reader.taken {
                while let token = $0.peek, !token.isSign(",") {
                    $0.skip()
                }
            }
            var label: String?
            if let first = value.first, first.kind == .word, value.dropFirst().first?.isSign(":") == true {
                label = String(first.text)
                value = value.dropFirst(2)
            }
            found.append(Attribute.Argument(label: label, value: value))
            _ = reader.takes(",")
        }
        return found
    }

    /// As it is written, from the first token to the last.
    static func text(_ tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else {
            return ""
        }
        return String(first.text.base[first.text.startIndex..<last.text.endIndex])
    }
}
