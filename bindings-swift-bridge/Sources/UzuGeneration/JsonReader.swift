/// JSON text as content, members in their order. It may also end early, as the text of a reply does that is still being
/// made: strings and numbers are read as they stand, other words once they are whole, members once their value begins.
struct JsonReader {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private let bytes: [UInt8]
    private let mayEndEarly: Bool
    private var at = 0
    /// Deeper than any type nests, and shallow enough for a thread's stack.
    private var depth = 0
    private static let greatestDepth = 512

    private init(_ text: String, mayEndEarly: Bool) {
        bytes = Array(text.utf8)
        self.mayEndEarly = mayEndEarly
    }

    static func read(_ text: String) throws -> GeneratedContent {
        var reader = JsonReader(text, mayEndEarly: false)
        guard let value = try reader.value() else {
            throw Fault(description: "there is no JSON value")
        }
        try reader.end()
        return value
    }

    /// nil when nothing of a value is there yet, or when the text is no JSON.
    static func readPart(_ text: String) -> GeneratedContent? {
        var reader = JsonReader(text, mayEndEarly: true)
        guard let value = try? reader.value(), (try? reader.end()) != nil else {
            return nil
        }
        return value
    }

    private mutating func end() throws {
        if next() != nil {
            throw Fault(description: "more than a value at byte \(at)")
        }
    }

    private mutating func value() throws -> GeneratedContent? {
        guard let byte = next() else {
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        if depth > JsonReader.greatestDepth {
            throw Fault(description: "nested too deep at byte \(at)")
        }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return GeneratedContent(kind: .string(try string()))
        default: return try word()
        }
    }

    private mutating func object() throws -> GeneratedContent {
        var properties: [String: GeneratedContent] = [:]
        var keys: [String] = []
        at += 1
        var mayEnd = true
        while true {
            guard let byte = next() else { break }
            if byte == UInt8(ascii: "}") && mayEnd { break }
            guard byte == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try string()
            guard try take(":"), let value = try value() else { break }
            if properties.updateValue(value, forKey: key) == nil {
                keys.append(key)
            }
            mayEnd = try !takeComma(before: "}")
            if mayEnd { break }
        }
        try close("}")
        return GeneratedContent(kind: .structure(properties: properties, orderedKeys: keys))
    }

    private mutating func array() throws -> GeneratedContent {
        var values: [GeneratedContent] = []
        at += 1
        if next() != UInt8(ascii: "]") {
            while let value = try value() {
                values.append(value)
                if try !takeComma(before: "]") { break }
            }
        }
        try close("]")
        return GeneratedContent(kind: .array(values))
    }

    private mutating func string() throws -> String {
        at += 1
        var text: [UInt8] = []
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] != UInt8(ascii: "\\") {
                text.append(bytes[at])
                at += 1
            } else if let scalar = try escape() {
                text.append(contentsOf: Array(String(scalar).utf8))
            } else {
                // An escape that isn't whole, which may be the second half of a character.
                at = bytes.count
            }
        }
        if at < bytes.count {
            at += 1
        } else if !mayEndEarly {
            throw Fault(description: "a string without an end")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape() throws -> Unicode.Scalar? {
        guard at + 1 < bytes.count else { return try early() }
        let letter = bytes[at + 1]
        if let scalar = JsonReader.escapes[letter] {
            at += 2
            return scalar
        }
        guard letter == UInt8(ascii: "u") else { throw unexpected() }
        guard let unit = try hexUnit() else { return nil }
        guard (0xD800...0xDBFF).contains(unit) else {
            return Unicode.Scalar(unit) ?? "\u{FFFD}"
        }
        guard at + 1 < bytes.count else { return try early() }
        guard bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u"), let second = try hexUnit() else {
            return try early()
        }
        guard (0xDC00...0xDFFF).contains(second) else { throw unexpected() }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexUnit() throws -> UInt32? {
        guard at + 6 <= bytes.count else { return try early() }
        guard let unit = UInt32(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16) else {
            throw unexpected()
        }
        at += 6
        return unit
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    private mutating func word() throws -> GeneratedContent? {
        let start = at
        while at < bytes.count, JsonReader.isOfWord(bytes[at]) {
            at += 1
        }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        switch word {
        case "true": return GeneratedContent(kind: .bool(true))
        case "false": return GeneratedContent(kind: .bool(false))
        case "null": return GeneratedContent(kind: .null)
        default: break
        }
        let isWhole = word.last.map { $0.isASCII && $0.isNumber } ?? false
        if isWhole, word.first != "+", let number = Double(word), number.isFinite {
            return GeneratedContent(kind: .number(number))
        }
        guard mayEndEarly, at == bytes.count, !word.isEmpty else {
            at = start
            throw unexpected()
        }
        // "-", "1.", "1e" and "tr" begin something.
        let digits = word.prefix { $0 == "-" || $0.isNumber }
        return Double(digits).map { GeneratedContent(kind: .number($0)) }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The next byte that isn't white; nil at the end.
    private mutating func next() -> UInt8? {
        while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) {
            at += 1
        }
        return at < bytes.count ? bytes[at] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) throws -> Bool {
        guard let byte = next() else { return try early() ?? false }
        guard byte == UInt8(ascii: character) else { throw unexpected() }
        at += 1
        return true
    }

    private mutating func takeComma(before end: Unicode.Scalar) throws -> Bool {
        switch next() {
        case UInt8(ascii: end), nil: return false
        default: return try take(",")
        }
    }

    private mutating func close(_ character: Unicode.Scalar) throws {
        _ = try take(character)
    }

    private func early<T>() throws -> T? {
        if mayEndEarly {
            return nil
        }
        throw Fault(description: at < bytes.count ? unexpected().description : "the text ends early")
    }

    private func unexpected() -> Fault {
        Fault(description: "no JSON at byte \(at)")
    }
}
