/// What a property's value must be beside being of its type.
public struct GenerationGuide<Value>: Sendable {
    let keywords: [SchemaKeyword]
    let items: [SchemaKeyword]

    init(_ keywords: [SchemaKeyword], items: [SchemaKeyword] = []) {
        self.keywords = keywords
        self.items = items
    }
}

extension GenerationGuide where Value == String {
    public static func constant(_ value: String) -> GenerationGuide<String> {
        GenerationGuide([SchemaKeyword(name: "const", value: JsonText.string(value))])
    }

    public static func anyOf(_ values: [String]) -> GenerationGuide<String> {
        GenerationGuide([.oneOf(values)])
    }

    /// The whole text matches.
    public static func pattern(_ pattern: String) -> GenerationGuide<String> {
        GenerationGuide([SchemaKeyword(name: "pattern", value: JsonText.string("^(?:\(pattern))$"))])
    }

    /// The same for a literal. An expression that was made at run time doesn't tell its text, and is no guide.
    public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
        regex._literalPattern.map { pattern($0) } ?? GenerationGuide([])
    }
}

extension GenerationGuide where Value == Int {
    public static func minimum(_ value: Int) -> GenerationGuide<Int> {
        GenerationGuide([.number("minimum", Double(value))])
    }

    public static func maximum(_ value: Int) -> GenerationGuide<Int> {
        GenerationGuide([.number("maximum", Double(value))])
    }

    public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
        GenerationGuide([.number("minimum", Double(range.lowerBound)), .number("maximum", Double(range.upperBound))])
    }
}

extension GenerationGuide where Value == Double {
    public static func minimum(_ value: Double) -> GenerationGuide<Double> {
        GenerationGuide([.number("minimum", value)])
    }

    public static func maximum(_ value: Double) -> GenerationGuide<Double> {
        GenerationGuide([.number("maximum", value)])
    }

    public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
        GenerationGuide([.number("minimum", range.lowerBound), .number("maximum", range.upperBound)])
    }
}

extension GenerationGuide where Value == Float {
    public static func minimum(_ value: Float) -> GenerationGuide<Float> {
        GenerationGuide([.number("minimum", Double(value))])
    }

    public static func maximum(_ value: Float) -> GenerationGuide<Float> {
        GenerationGuide([.number("maximum", Double(value))])
    }

    public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
        GenerationGuide([
            .number("minimum", Double(range.lowerBound)), .number("maximum", Double(range.upperBound)),
        ])
    }
}

extension GenerationGuide {
    public static func minimumCount<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        GenerationGuide([.number("minItems", Double(count))])
    }

    public static func maximumCount<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        GenerationGuide([.number("maxItems", Double(count))])
    }

    public static func count<Element>(_ range: ClosedRange<Int>) -> GenerationGuide<[Element]>
    where Value == [Element] {
        GenerationGuide([
            .number("minItems", Double(range.lowerBound)), .number("maxItems", Double(range.upperBound)),
        ])
    }

    public static func count<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        .count(count...count)
    }

    /// Of each element.
    public static func element<Element>(_ guide: GenerationGuide<Element>) -> GenerationGuide<[Element]>
    where Value == [Element] {
        GenerationGuide([], items: guide.keywords)
    }
}
