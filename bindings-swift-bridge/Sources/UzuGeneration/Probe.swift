/// A decoder that has nothing to decode: it notes what a type asks for.
final class Probe: Decoder {
    private enum Shape {
        case nothing
        case object([(name: String, schema: String, isRequired: Bool)])
        case value(String)
    }

    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private(set) var reader: TypeReader
    private var shape = Shape.nothing

    init(_ reader: TypeReader, path: [any CodingKey]) {
        self.reader = reader
        codingPath = path
    }

    var schemaText: String {
        switch shape {
        case .nothing:
            return #"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#
        case .value(let schema):
            return schema
        case .object(let members):
            let properties = members.map { "\(JsonText.string($0.name)):\($0.schema)" }
            let required = members.filter(\.isRequired).map { JsonText.string($0.name) }
            return "{\"type\":\"object\",\"properties\":{\(properties.joined(separator: ","))},"
                + "\"required\":[\(required.joined(separator: ","))],\"additionalProperties\":false}"
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if case .nothing = shape {
            shape = .object([])
        }
        return KeyedDecodingContainer(ProbeMembers(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw NoSchema(description: "\(place) is a list whose elements only its own code knows")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ProbeValue(probe: self)
    }

    private var place: String {
        codingPath.isEmpty ? "it" : codingPath.map(\.stringValue).joined(separator: ".")
    }

    func note<T: Decodable>(_ type: T.Type, for key: any CodingKey) throws -> T {
        let (schema, value) = try reader.read(type, at: codingPath + [key])
        try add(key.stringValue, schema, isRequired: true)
        guard let value else {
            throw unsupported("itself in \(key.stringValue), where it can't be left out")
        }
        return value
    }

    /// What may be absent is absent where the type contains itself.
    func noteOptional<T: Decodable>(_ type: T.Type, for key: any CodingKey) throws -> T? {
        let (schema, value) = try reader.read(type, at: codingPath + [key])
        try add(key.stringValue, schema, isRequired: false)
        return value
    }

    func noteOnly<T: Decodable>(_ type: T.Type) throws -> T {
        let (schema, value) = try reader.read(type, at: codingPath)
        shape = .value(schema)
        guard let value else {
            throw unsupported("itself as its only value")
        }
        return value
    }

    func unsupported(_ what: String) -> NoSchema {
        NoSchema(description: "\(place) has \(what)")
    }

    private func add(_ name: String, _ schema: String, isRequired: Bool) throws {
        guard case .object(var members) = shape else {
            throw unsupported("members and a single value")
        }
        if !members.contains(where: { $0.name == name }) {
            members.append((name: name, schema: schema, isRequired: isRequired))
        }
        shape = .object(members)
    }
}

private struct ProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: Probe

    var codingPath: [any CodingKey] { probe.codingPath }
    /// Enums with associated values look for theirs here, and fail.
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try probe.note(type, for: key)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try probe.noteOptional(type, for: key)
    }

    // Without these, the standard library's own would make optional numbers and texts required.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key) }

    private func optional<T: Decodable>(_ key: Key) throws -> T? {
        try probe.noteOptional(T.self, for: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw probe.unsupported("a container inside \(key.stringValue) that is no type of its own")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw probe.unsupported("a list inside \(key.stringValue) that is no type of its own")
    }

    func superDecoder() throws -> any Decoder {
        throw probe.unsupported("a superclass that decodes")
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw probe.unsupported("a superclass that decodes")
    }
}

private struct ProbeValue: SingleValueDecodingContainer {
    let probe: Probe

    var codingPath: [any CodingKey] { probe.codingPath }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try probe.noteOnly(type)
    }
}
