import Foundation
import FoundationModels
import Testing
import Uzu

@Generable(description: "A person")
struct Person: Equatable {
    @Guide(description: "As it is written", .pattern("[A-Z][a-z]{2,8}"))
    let name: String
    @Guide(.range(1...120))
    let age: Int
    let nickname: String?
    @Guide(description: "Few", .count(1...2), .element(.anyOf(["red", "blue"])))
    let colours: [String]
    let mood: Mood
    let isGrown = true
    var initial: String { String(name.prefix(1)) }
}

@Generable
enum Mood: String, Codable {
    case happy
    case verySad = "very sad"
}

@Generable
struct Tree {
    let name: String
    let children: [Tree]
}

struct City: Codable, Equatable {
    enum Size: String, Codable, CaseIterable {
        case small, large
    }

    struct Place: Codable, Equatable {
        let latitude: Double
    }

    let name: String
    let inhabitants: Int
    let size: Size
    let place: Place?
    let tags: [String]
}

final class Chain: Codable {
    let name: String
    let next: Chain?
}

enum Shape: Codable {
    case circle(radius: Double)
}

@Suite struct GenerationTests {
    @Test func aSchemaHasTypesGuidesAndDescriptions() {
        #expect(
            Person.generationSchema.debugDescription == """
                {"description":"A person","type":"object","properties":{"name":{"type":"string",\
                "description":"As it is written","pattern":"^(?:[A-Z][a-z]{2,8})$"},\
                "age":{"type":"integer","minimum":1,"maximum":120},"nickname":{"type":"string"},\
                "colours":{"type":"array","items":{"type":"string","enum":["red","blue"]},"description":"Few",\
                "minItems":1,"maxItems":2},"mood":{"type":"string","enum":["happy","very sad"]}},\
                "required":["name","age","colours","mood"],"additionalProperties":false}
                """)
        #expect(
            Tree.generationSchema.debugDescription == """
                {"$ref":"#/$defs/Tree","$defs":{"Tree":{"type":"object","properties":{"name":{"type":"string"},\
                "children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},"required":["name","children"],\
                "additionalProperties":false}}}
                """)
        #expect([Mood].generationSchema.debugDescription
            == #"{"type":"array","items":{"type":"string","enum":["happy","very sad"]}}"#)
    }

    @Test func contentBecomesAValueAndBack() throws {
        let json = #"{"name":"Ada","age":36,"colours":["red"],"mood":"very sad"}"#
        let person = try Person(GeneratedContent(json: json))
        #expect(person == Person(name: "Ada", age: 36, nickname: nil, colours: ["red"], mood: .verySad))
        #expect(person.generatedContent.jsonString
            == #"{"name":"Ada","age":36,"nickname":null,"colours":["red"],"mood":"very sad"}"#)
        #expect(throws: GeneratedContent.DecodingFailure.self) {
            try Person(GeneratedContent(json: #"{"name":"Ada"}"#))
        }
        #expect(throws: GeneratedContent.DecodingFailure.self) { try Mood(GeneratedContent(json: #""angry""#)) }
    }

    @Test func aPartOfAValueIsReadAsFarAsItGoes() throws {
        let whole = #"{"name":"\u0041da \ud83d\ude00","age":-1.5e2,"colours":["red","bl"],"deep":{"a":[true,null]}}"#
        for end in 1..<whole.utf8.count {
            let part = String(decoding: whole.utf8.prefix(end), as: UTF8.self)
            #expect(GeneratedContent(partialJson: part) != nil, "\(part)")
        }
        #expect(GeneratedContent(partialJson: #"{"a":"x\ud83d"#)?.jsonString == #"{"a":"x"}"#)
        #expect(GeneratedContent(partialJson: #"{"a":12,"b":tr"#)?.jsonString == #"{"a":12}"#)
        #expect(GeneratedContent(partialJson: "") == nil)
        #expect(GeneratedContent(partialJson: "Hello") == nil)
        #expect(throws: (any Error).self) { try GeneratedContent(json: #"{"a":12"#) }
        #expect(throws: (any Error).self) { try GeneratedContent(json: "[1,]") }
        #expect(throws: (any Error).self) { try GeneratedContent(json: String(repeating: "[", count: 100_000)) }
        let message = ChatMessage.assistant().withText(text: #"{"name":"Ad"#)
        let partly: Person.PartiallyGenerated? = message.textDecodedPartially(Person.self)
        #expect(partly?.name == "Ad" && partly?.age == nil)
    }

    @Test func aCodableTypeHasASchemaToo() throws {
        #expect(
            GenerationSchema(decodable: City.self).debugDescription == """
                {"type":"object","properties":{"name":{"type":"string"},"inhabitants":{"type":"integer"},\
                "size":{"enum":["small","large"]},"place":{"type":"object","properties":{"latitude":{"type":"number"}},\
                "required":["latitude"],"additionalProperties":false},"tags":{"type":"array","items":\
                {"type":"string"}}},"required":["name","inhabitants","size","tags"],"additionalProperties":false}
                """)
        #expect(
            GenerationSchema(decodable: [String: Chain].self).debugDescription == """
                {"type":"object","additionalProperties":{"$ref":"#/$defs/Chain"},"$defs":{"Chain":{"type":"object",\
                "properties":{"name":{"type":"string"},"next":{"$ref":"#/$defs/Chain"}},"required":["name"],\
                "additionalProperties":false}}}
                """)
        #expect(GenerationSchema(decodable: Shape.self).fault != nil)
        #expect(throws: UzuError.self) { try Grammar.fromType(Shape.self) }
    }

    @Test func aReplyIsOfTheTypeAskedFor() async throws {
        let config = greedy(120)
        let ask = question("Describe a person, as JSON")
        let person = try await Loaded.session().reply(
            input: ask, config: config.withGrammar(grammar: .fromType(Person.self)))
        let found: Person? = person.last?.message.textDecoded()
        #expect((1...120).contains(try #require(found).age))
        let cities = try await Loaded.session().reply(
            input: question("Describe a city, as JSON"), config: config.withGrammar(grammar: try .fromType(City.self)))
        let city: City? = cities.last?.message.textDecoded()
        #expect(city != nil, "\(cities.last?.message.text() ?? "")")
    }

    @Test func otherGrammarsHold() async throws {
        func text(_ grammar: Grammar) async throws -> String {
            let config = greedy(24).withGrammar(grammar: grammar)
            let replies = try await Loaded.session().reply(input: question("Yes or no?"), config: config)
            return replies.last?.message.text() ?? ""
        }
        #expect(["yes", "no"].contains(try await text(.choice(values: ["yes", "no"]))))
        #expect(try await text(.regex(pattern: "[0-9]{3}")).count == 3)
        #expect(try await text(.ebnf(text: #"root ::= "maybe""#)) == "maybe")
        #expect((try? GeneratedContent(json: try await text(.jsonAny))) != nil)
        let odd = ChatReplyConfig.create().withGrammar(grammar: .jsonSchema(schema: "no schema"))
        #expect(await failure { _ = try await Loaded.session().reply(input: question("Hi"), config: odd) } != nil)
    }
}
