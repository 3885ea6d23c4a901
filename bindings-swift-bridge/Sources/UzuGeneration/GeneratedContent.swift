/// What a model has written, as a tree: it may be a part of a value that is still being made.
public struct GeneratedContent: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([GeneratedContent])
        case structure(properties: [String: GeneratedContent], orderedKeys: [String])
    }

    public enum DecodingFailure: Error, Sendable, CustomStringConvertible {
        case malformed(String)
        case missing(property: String)
        case mismatch(expected: String, found: String)

        public var description: String {
            switch self {
            case .malformed(let why): "the text is no JSON: \(why)"
            case .missing(let property): "\(property) is missing"
            case .mismatch(let expected, let found): "\(expected) is expected, not \(found)"
            }
        }
    }

    public let kind: Kind

    public init(kind: Kind) {
        self.kind = kind
    }

    /// JSON text.
    public init(json: String) throws {
        do {
            self = try JsonReader.read(json)
        } catch {
            throw DecodingFailure.malformed("\(error)")
        }
    }

    /// What there is of JSON text that is still being made; nil when nothing is there yet, or when it is no JSON.
    public init?(partialJson: String) {
        guard let content = JsonReader.readPart(partialJson) else {
            return nil
        }
        self = content
    }

    /// An object with these properties, in this order.
    public init(properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>) {
        kind = .structure(
            properties: Dictionary(properties.map { ($0.key, $0.value.generatedContent) }) { _, last in last },
            orderedKeys: properties.map(\.key))
    }

    public init(elements: [any ConvertibleToGeneratedContent]) {
        kind = .array(elements.map(\.generatedContent))
    }

    public init(_ value: some ConvertibleToGeneratedContent) {
        self = value.generatedContent
    }

    public func value<Value: ConvertibleFromGeneratedContent>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(self)
    }

    public func value<Value: ConvertibleFromGeneratedContent>(
        _ type: Value.Type = Value.self, forProperty property: String
    ) throws -> Value {
        guard let content = try properties()[property] else {
            throw DecodingFailure.missing(property: property)
        }
        return try Value(content)
    }

    /// nil where the property is absent or null.
    public func value<Value: ConvertibleFromGeneratedContent>(
        _ type: Value?.Type = Value?.self, forProperty property: String
    ) throws -> Value? {
        guard let content = try properties()[property], content.kind != .null else {
            return nil
        }
        return try Value(content)
    }

    private func properties() throws -> [String: GeneratedContent] {
        guard case .structure(let properties, _) = kind else {
            throw DecodingFailure.mismatch(expected: "an object", found: jsonString)
        }
        return properties
    }

    public var jsonString: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch kind {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += JsonText.number(value)
        case .string(let value): text += JsonText.string(value)
        case .array(let values):
            text += "[" + values.map(\.jsonString).joined(separator: ",") + "]"
        case .structure(let properties, let keys):
            let members = keys.map { "\(JsonText.string($0)):\(properties[$0]?.jsonString ?? "null")" }
            text += "{" + members.joined(separator: ",") + "}"
        }
    }
}

/// Literals of JSON.
enum JsonText {
    static func string(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) {
            return String(whole)
        }
        return value.isFinite ? "\(value)" : "null"
    }
}
