/// A word, a literal, or one character of anything else; comments are between tokens.
struct Token {
    enum Kind {
        case word, text, regex, number, sign
    }

    let kind: Kind
    let text: Substring
    let isFirstOfLine: Bool

    func isSign(_ signs: String) -> Bool {
        kind == .sign && signs.contains(text)
    }

    func isWord(_ words: String...) -> Bool {
        kind == .word && words.contains(String(text))
    }
}

/// Swift's text in tokens, as far as declarations of types and their properties need it.
struct Lexer {
    private let source: String
    private var at: String.Index
    private var tokens: [Token] = []

    static func tokens(of source: String) -> [Token] {
        var lexer = Lexer(source)
        lexer.run()
        return lexer.tokens
    }

    private init(_ source: String) {
        self.source = source
        at = source.startIndex
    }

    private mutating func run() {
        var isFirst = true
        while at < source.endIndex {
            if source[at].isNewline {
                isFirst = true
                step()
            } else if source[at].isWhitespace {
                step()
            } else if starts(with: "//") {
                skip { !$0.isNewline }
            } else if starts(with: "/*") {
                comment()
            } else {
                let start = at
                let kind = token()
                tokens.append(Token(kind: kind, text: source[start..<at], isFirstOfLine: isFirst))
                isFirst = false
            }
        }
    }

    private mutating func token() -> Token.Kind {
        let hashes = source[at...].prefix { $0 == "#" }.count
        let behind = source.index(at, offsetBy: hashes)
        if behind < source.endIndex, source[behind] == "\"" {
            at = behind
            text(hashes)
            return .text
        }
        if behind < source.endIndex, source[behind] == "/", hashes > 0 || mayBeRegex() {
            at = behind
            regex(hashes)
            return .regex
        }
        let first = source[at]
        if first == "`" {
            step()
            skip { $0 != "`" }
            step()
            return .word
        }
        if first.isLetter || first == "_" || first == "$" {
            skip { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
            return .word
        }
        if first.isNumber {
            number()
            return .number
        }
        step()
        return .sign
    }

    /// A slash begins an expression where none can be divided, and no space follows it.
    private func mayBeRegex() -> Bool {
        let next = source.index(after: at)
        guard next < source.endIndex, !source[next].isWhitespace, let last = tokens.last else {
            return false
        }
        return last.isSign("(,:=[")
    }

    private mutating func text(_ hashes: Int) {
        let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        let marks = String(repeating: "#", count: hashes)
        step(quotes.count)
        while at < source.endIndex, !starts(with: quotes + marks) {
            if starts(with: "\\" + marks + "(") {
                step(hashes + 1)
                interpolation()
            } else {
                step(starts(with: "\\" + marks) ? hashes + 2 : 1)
            }
        }
        step(quotes.count + hashes)
    }

    /// From its parenthesis on; it may hold texts with parentheses.
    private mutating func interpolation() {
        var depth = 0
        repeat {
            let first = source[at]
            if first == "(" || first == ")" {
                depth += first == "(" ? 1 : -1
                step()
            } else if first == "\"" {
                text(0)
            } else {
                step()
            }
        } while depth > 0 && at < source.endIndex
    }

    private mutating func regex(_ hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        step()
        while at < source.endIndex, !starts(with: end) {
            step(source[at] == "\\" ? 2 : 1)
        }
        step(end.count)
    }

    private mutating func number() {
        while at < source.endIndex {
            let isExponent = "eEpP".contains(source[at])
            if source[at] == "." {
                let next = source.index(after: at)
                guard next < source.endIndex, source[next].isNumber else { return }
            } else if !source[at].isLetter && !source[at].isNumber && source[at] != "_" {
                return
            }
            step()
            if isExponent, at < source.endIndex, "+-".contains(source[at]) {
                step()
            }
        }
    }

    /// Comments may hold comments.
    private mutating func comment() {
        var depth = 0
        repeat {
            if starts(with: "/*") || starts(with: "*/") {
                depth += source[at] == "/" ? 1 : -1
                step(2)
            } else {
                step()
            }
        } while depth > 0 && at < source.endIndex
    }

    private func starts(with text: String) -> Bool {
        source[at...].hasPrefix(text)
    }

    private mutating func skip(while holds: (Character) -> Bool) {
        while at < source.endIndex, holds(source[at]) {
            step()
        }
    }

    private mutating func step(_ count: Int = 1) {
        at = source.index(at, offsetBy: count, limitedBy: source.endIndex) ?? source.endIndex
    }
}
