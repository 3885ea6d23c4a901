/// What a reply's text must be. Thinking before the answer is free.
public enum Grammar: Sendable, Equatable {
    /// A JSON value that the schema, a text, accepts: draft 7 or 2020-12.
    case jsonSchema(schema: String, propertyOrder: PropertyOrder = .asGiven)
    case jsonAny
    /// A text that the whole expression matches. No lookaround, no back references.
    case regex(pattern: String)
    /// A text of the rule `root`, in llama.cpp's GBNF or in the context-free part of Lark.
    case ebnf(text: String)
    /// One of the values.
    case choice(values: [String])

    var json: Json {
        switch self {
        case .jsonSchema(let schema, let propertyOrder):
            .object([
                "type": .string("json_schema"), "schema": .string(schema),
                "property_order": .string(propertyOrder.rawValue),
            ])
        case .jsonAny: .string("json_any")
        case .regex(let pattern): .object(["type": .string("regex"), "pattern": .string(pattern)])
        case .ebnf(let text): .object(["type": .string("ebnf"), "text": .string(text)])
        case .choice(let values):
            .object(["type": .string("choice"), "values": .array(values.map { .string($0) })])
        }
    }
}

/// Whether a reply calls tools.
public enum ToolChoice: Sendable, Equatable {
    /// As the model likes.
    case auto
    /// Tools aren't shown to the model.
    case none
    /// At least one call.
    case required
    /// A call of this tool.
    case named(name: String)

    var json: Json {
        switch self {
        case .auto: .string("auto")
        case .none: .string("none")
        case .required: .string("required")
        case .named(let name): .object(["name": .string(name)])
        }
    }
}
