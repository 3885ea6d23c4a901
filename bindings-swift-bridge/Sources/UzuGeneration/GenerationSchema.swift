/// What the values of a type look like, as JSON schema.
public struct GenerationSchema: Sendable, CustomDebugStringConvertible {
    indirect enum Shape: Sendable {
        /// Keywords, in their order.
        case plain([SchemaKeyword])
        /// `items` narrow the elements.
        case array(any Generable.Type, [SchemaKeyword], items: [SchemaKeyword])
        case object(of: ObjectIdentifier, name: String, description: String?, [Property])
        /// One of the types.
        case anyOf(description: String?, [any Generable.Type])
        /// JSON text that is a schema already.
        case text(String)
    }

    /// A property of an object.
    public struct Property: Sendable {
        let name: String
        let description: String?
        let type: any Generable.Type
        let isRequired: Bool
        let keywords: [SchemaKeyword]
        let items: [SchemaKeyword]

        public init<Value: Generable>(
            name: String, description: String? = nil, type: Value.Type, guides: [GenerationGuide<Value>] = []
        ) {
            self.init(name, description, type, true, guides)
        }

        /// One that may be absent.
        public init<Value: Generable>(
            name: String, description: String? = nil, type: Value?.Type, guides: [GenerationGuide<Value>] = []
        ) {
            self.init(name, description, Value.self, false, guides)
        }

        private init<Value: Generable>(
            _ name: String, _ description: String?, _ type: Value.Type, _ isRequired: Bool,
            _ guides: [GenerationGuide<Value>]
        ) {
            self.name = name
            self.description = description
            self.type = type
            self.isRequired = isRequired
            keywords = guides.flatMap(\.keywords)
            items = guides.flatMap(\.items)
        }
    }

    let shape: Shape
    /// Why there is no schema, if so: whoever uses it says so.
    public let fault: String?

    init(_ shape: Shape, fault: String? = nil) {
        self.shape = shape
        self.fault = fault
    }

    /// An object with these properties, in this order.
    public init(type: any Generable.Type, description: String? = nil, properties: [Property]) {
        self.init(
            .object(of: ObjectIdentifier(type), name: "\(type)", description: description, properties))
    }

    /// One of these strings.
    public init(type: any Generable.Type, description: String? = nil, anyOf choices: [String]) {
        let words = description.map { [SchemaKeyword.description($0)] } ?? []
        self.init(.plain(words + [.type("string"), .oneOf(choices)]))
    }

    /// A value of one of these types.
    public init(type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]) {
        self.init(.anyOf(description: description, types))
    }

    /// The JSON schema.
    public var debugDescription: String {
        var writer = SchemaWriter()
        return writer.whole(self)
    }
}

/// A keyword of a schema with its value, which is JSON text.
struct SchemaKeyword: Sendable, Equatable {
    let name: String
    let value: String

    static func type(_ name: String) -> SchemaKeyword {
        SchemaKeyword(name: "type", value: JsonText.string(name))
    }

    static func description(_ text: String) -> SchemaKeyword {
        SchemaKeyword(name: "description", value: JsonText.string(text))
    }

    static func oneOf(_ choices: [String]) -> SchemaKeyword {
        SchemaKeyword(name: "enum", value: "[" + choices.map(JsonText.string).joined(separator: ",") + "]")
    }

    static func number(_ name: String, _ value: Double) -> SchemaKeyword {
        SchemaKeyword(name: name, value: JsonText.number(value))
    }
}

/// Writes schemas: types where they are used, and those that contain themselves once below `$defs`.
private struct SchemaWriter {
    private var open: [ObjectIdentifier] = []
    private var recursive: Set<ObjectIdentifier> = []
    private var definitions: [(name: String, text: String)] = []
    private var defined: [ObjectIdentifier: String] = [:]

    mutating func whole(_ schema: GenerationSchema) -> String {
        var first = SchemaWriter()
        _ = first.text(schema, [], [])
        recursive = first.recursive
        let root = text(schema, [], [])
        guard !definitions.isEmpty else {
            return root
        }
        let list = definitions.map { "\(JsonText.string($0.name)):\($0.text)" }.joined(separator: ",")
        return "\(root.dropLast())\(root == "{}" ? "" : ",")\"$defs\":{\(list)}}"
    }

    private mutating func text(
        _ schema: GenerationSchema, _ keywords: [SchemaKeyword], _ items: [SchemaKeyword]
    ) -> String {
        switch schema.shape {
        case .plain(let own):
            return object(merged(own, keywords))
        case .text(let text):
            return text
        case .array(let element, let own, let ownItems):
            let items = text(element.generationSchema, ownItems + items, [])
            return object(
                [.type("array"), SchemaKeyword(name: "items", value: items)] + merged(own, keywords))
        case .anyOf(let description, let types):
            let texts = types.map { text($0.generationSchema, [], []) }
            let words = description.map { [SchemaKeyword.description($0)] } ?? []
            let choice = SchemaKeyword(name: "anyOf", value: "[" + texts.joined(separator: ",") + "]")
            return object(merged(words + [choice], keywords))
        case .object(let type, let name, let description, let properties):
            return object(type, name, description, properties, keywords)
        }
    }

    private mutating func object(
        _ type: ObjectIdentifier, _ name: String, _ description: String?, _ properties: [GenerationSchema.Property],
        _ keywords: [SchemaKeyword]
    ) -> String {
        if open.contains(type) {
            recursive.insert(type)
            return reference(type, name)
        }
        if recursive.contains(type) {
            if defined[type] == nil {
                let name = reference(type, name)
                let index = definitions.count
                definitions.append((name: defined[type] ?? name, text: ""))
                open.append(type)
                definitions[index].text = members(description, properties, [])
                open.removeLast()
            }
            return reference(type, name)
        }
        open.append(type)
        defer { open.removeLast() }
        return members(description, properties, keywords)
    }

    private mutating func reference(_ type: ObjectIdentifier, _ name: String) -> String {
        let unique = defined[type] ?? uniqueName(name)
        defined[type] = unique
        return object([SchemaKeyword(name: "$ref", value: JsonText.string("#/$defs/\(unique)"))])
    }

    private func uniqueName(_ name: String) -> String {
        let taken = Set(defined.values)
        return taken.contains(name) ? "\(name)\(taken.count)" : name
    }

    private mutating func members(
        _ description: String?, _ properties: [GenerationSchema.Property], _ keywords: [SchemaKeyword]
    ) -> String {
        let members = properties.map { property in
            let words = property.description.map { [SchemaKeyword.description($0)] } ?? []
            let schema = text(property.type.generationSchema, words + property.keywords, property.items)
            return "\(JsonText.string(property.name)):\(schema)"
        }
        let required = properties.filter(\.isRequired).map { JsonText.string($0.name) }
        let words = description.map { [SchemaKeyword.description($0)] } ?? []
        return object(
            merged(words, keywords) + [
                .type("object"),
                SchemaKeyword(name: "properties", value: "{" + members.joined(separator: ",") + "}"),
                SchemaKeyword(name: "required", value: "[" + required.joined(separator: ",") + "]"),
                SchemaKeyword(name: "additionalProperties", value: "false"),
            ])
    }

    /// The later ones win.
    private func merged(_ first: [SchemaKeyword], _ second: [SchemaKeyword]) -> [SchemaKeyword] {
        let names = Set(second.map(\.name))
        return first.filter { !names.contains($0.name) } + second
    }

    private func object(_ keywords: [SchemaKeyword]) -> String {
        "{" + keywords.map { "\(JsonText.string($0.name)):\($0.value)" }.joined(separator: ",") + "}"
    }
}
