/// JSON inside of JSON, of any shape, read back into its text. Members come in no particular order.
struct AnyJson: Decodable, Sendable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = Value(json: try AnyJson.text(decoder))
    }

    private static func text(_ decoder: any Decoder) throws -> String {
        if let members = try? decoder.container(keyedBy: Key.self) {
            let texts = try members.allKeys.map {
                "\(Json.string($0.stringValue).text):\(try members.decode(AnyJson.self, forKey: $0).value.json)"
            }
            return "{\(texts.joined(separator: ","))}"
        }
        if var elements = try? decoder.unkeyedContainer() {
            var texts: [String] = []
            while !elements.isAtEnd {
                texts.append(try elements.decode(AnyJson.self).value.json)
            }
            return "[\(texts.joined(separator: ","))]"
        }
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            return "null"
        }
        if let value = try? single.decode(Bool.self) {
            return Json.bool(value).text
        }
        if let value = try? single.decode(Int64.self) {
            return Json.integer(value).text
        }
        if let value = try? single.decode(Double.self) {
            return Json.number(value).text
        }
        return Json.string(try single.decode(String.self)).text
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
