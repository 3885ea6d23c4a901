import Foundation

/// JSON on its way to the engine: members in their order, and text that is JSON already as it is.
enum Json {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case text(String)
    case array([Json])
    case object(KeyValuePairs<String, Json>)

    static func optional<T>(_ value: T?, _ json: (T) -> Json) -> Json {
        value.map(json) ?? .null
    }

    static func optional(_ value: Int?) -> Json {
        optional(value) { .integer(Int64($0)) }
    }

    static func optional(_ value: Double?) -> Json {
        optional(value) { .number($0) }
    }

    static func optional(_ value: String?) -> Json {
        optional(value) { .string($0) }
    }

    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        // JSON has no other numbers; the engine refuses null where a number is out of range.
        case .number(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
        case .string(let value): Json.write(value, to: &text)
        case .text(let value): text += value
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                text += index == 0 ? "" : ","
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += index == 0 ? "" : ","
                Json.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\u{0}"..<"\u{20}": text += "\\u" + String(format: "%04x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// What the engine has written, as a value.
func decoded<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
    do {
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
        throw UzuError.internal(message: "The engine's answer can't be read: \(error)", details: ["answer": text])
    }
}

/// Any JSON value, as its text: arguments of a call, a tool's result, a schema.
public struct Value: Sendable, Hashable, CustomStringConvertible {
    public let json: String

    /// - Parameter json: is taken as it is, and checked where it is used.
    public init(json: String) {
        self.json = json
    }

    /// A value of this program, as its `Encodable` conformance writes it.
    public init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// As a value of this program.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    public var description: String { json }
}
