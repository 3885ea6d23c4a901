import Foundation

extension GenerationSchema {
    /// The schema of what a `Decodable` type reads, found out by letting it read: a decoder notes which keys and types
    /// it asks for, and answers with zeros and empty texts.
    ///
    /// This takes synthesised conformances, and others that read all their keys whatever the values are: structs,
    /// classes without superclasses that decode, arrays, sets, optionals, dictionaries with string keys,
    /// `RawRepresentable` enums that are `CaseIterable`, `Date`, `URL`, `UUID`, `Data`, `Decimal`. Enums with associated
    /// values and types that refuse zeros have none: `fault` says so, and `@Generable` or a schema of one's own is the
    /// way. A type that isn't `Generable` knows no descriptions and no guides.
    public init(decodable type: any Decodable.Type) {
        var reader = TypeReader()
        do {
            let text = try reader.text(of: type)
            self.init(.text(reader.whole(text)))
        } catch {
            self.init(.plain([]), fault: "\(type) has no schema that can be found out: \(error)")
        }
    }
}

struct NoSchema: Error, CustomStringConvertible {
    let description: String
}

/// Finds out what types read. Types that contain themselves are written once, below `$defs`.
struct TypeReader {
    private var open: [ObjectIdentifier] = []
    private var recursive: [ObjectIdentifier: String] = [:]
    private var definitions: [(name: String, text: String)] = []

    mutating func text(of type: any Decodable.Type) throws -> String {
        try read(type, at: []).schema
    }

    /// The type's schema, and some value of it; nil where the type contains itself.
    mutating func read<T: Decodable>(_ type: T.Type, at path: [any CodingKey]) throws -> (schema: String, value: T?) {
        if let known = type as? any KnownSchema.Type {
            return (try known.schemaText(&self), known.someValue as? T)
        }
        if let cases = (type as? any RawRepresentable.Type)?.rawValues {
            let texts = cases.map(TypeReader.rawText)
            let first = (type as? any RawRepresentable.Type)?.firstCase as? T
            return ("{\"enum\":[\(texts.joined(separator: ","))]}", first)
        }
        let identifier = ObjectIdentifier(type)
        if open.contains(identifier) {
            return (reference(to: type), nil)
        }
        open.append(identifier)
        let probe = Probe(self, path: path)
        let value = try type.init(from: probe)
        self = probe.reader
        open.removeLast()
        guard let name = recursive[identifier] else {
            return (probe.schemaText, value)
        }
        if !definitions.contains(where: { $0.name == name }) {
            definitions.append((name: name, text: probe.schemaText))
        }
        return (reference(to: type), value)
    }

    func whole(_ root: String) -> String {
        guard !definitions.isEmpty else {
            return root
        }
        let list = definitions.map { "\(JsonText.string($0.name)):\($0.text)" }.joined(separator: ",")
        return "\(root.dropLast()),\"$defs\":{\(list)}}"
    }

    private mutating func reference(to type: any Decodable.Type) -> String {
        let identifier = ObjectIdentifier(type)
        let taken = recursive.values.contains("\(type)")
        let name = recursive[identifier] ?? (taken ? "\(type)\(recursive.count)" : "\(type)")
        recursive[identifier] = name
        return "{\"$ref\":\(JsonText.string("#/$defs/\(name)"))}"
    }

    private static func rawText(_ raw: Any) -> String {
        switch raw {
        case let text as String: JsonText.string(text)
        case let number as any BinaryInteger: "\(number)"
        case let number as Double: JsonText.number(number)
        default: JsonText.string("\(raw)")
        }
    }
}

extension RawRepresentable {
    /// The raw values of the cases; nil when the type doesn't list them.
    fileprivate static var rawValues: [Any]? {
        (Self.self as? any CaseIterable.Type)?.everyCase.compactMap { ($0 as? Self)?.rawValue }
    }

    fileprivate static var firstCase: Any? {
        (Self.self as? any CaseIterable.Type)?.everyCase.first
    }
}

extension CaseIterable {
    fileprivate static var everyCase: [Any] { allCases.map { $0 } }
}

/// A type whose schema and some value are known without reading.
protocol KnownSchema {
    static func schemaText(_ reader: inout TypeReader) throws -> String
    static var someValue: Any { get }
}

extension String: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"string"}"# }
    static var someValue: Any { "" }
}

extension Bool: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"boolean"}"# }
    static var someValue: Any { false }
}

extension Double: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"number"}"# }
    static var someValue: Any { 0.0 }
}

extension Float: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"number"}"# }
    static var someValue: Any { Float(0) }
}

extension Decimal: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"number"}"# }
    static var someValue: Any { Decimal(0) }
}

/// As `JSONDecoder` reads it unless told otherwise: seconds since 2001.
extension Date: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"number"}"# }
    static var someValue: Any { Date(timeIntervalSinceReferenceDate: 0) }
}

extension URL: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"string","format":"uri"}"# }
    static var someValue: Any { URL(fileURLWithPath: "/") }
}

extension UUID: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String { #"{"type":"string","format":"uuid"}"# }
    static var someValue: Any { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Data: KnownSchema {
    static func schemaText(_ reader: inout TypeReader) -> String {
        #"{"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"}"#
    }

    static var someValue: Any { Data() }
}

extension Array: KnownSchema where Element: Decodable {
    static func schemaText(_ reader: inout TypeReader) throws -> String {
        "{\"type\":\"array\",\"items\":\(try reader.text(of: Element.self))}"
    }

    static var someValue: Any { [Element]() }
}

extension Set: KnownSchema where Element: Decodable {
    static func schemaText(_ reader: inout TypeReader) throws -> String {
        "{\"type\":\"array\",\"items\":\(try reader.text(of: Element.self)),\"uniqueItems\":true}"
    }

    static var someValue: Any { Set<Element>() }
}

extension Optional: KnownSchema where Wrapped: Decodable {
    static func schemaText(_ reader: inout TypeReader) throws -> String {
        "{\"anyOf\":[\(try reader.text(of: Wrapped.self)),{\"type\":\"null\"}]}"
    }

    static var someValue: Any { Wrapped?.none as Any }
}

extension Dictionary: KnownSchema where Key == String, Value: Decodable {
    static func schemaText(_ reader: inout TypeReader) throws -> String {
        "{\"type\":\"object\",\"additionalProperties\":\(try reader.text(of: Value.self))}"
    }

    static var someValue: Any { [String: Value]() }
}

extension FixedWidthInteger where Self: Decodable {
    static func schemaText(_ reader: inout TypeReader) -> String {
        Self.isSigned ? #"{"type":"integer"}"# : #"{"type":"integer","minimum":0}"#
    }

    static var someValue: Any { Self.zero }
}

extension Int: KnownSchema {}
extension Int8: KnownSchema {}
extension Int16: KnownSchema {}
extension Int32: KnownSchema {}
extension Int64: KnownSchema {}
extension UInt: KnownSchema {}
extension UInt8: KnownSchema {}
extension UInt16: KnownSchema {}
extension UInt32: KnownSchema {}
extension UInt64: KnownSchema {}
