import FoundationModels
import Testing

/// As people write declarations: comments, attributes, other members between the properties.
@Generable(
    description: "OddlyWritten, \"quoted\" (and in brackets)"
) public struct OddlyWritten: Equatable {
    // let not: Int
    /* nor /* let that: Int */ */
    public let first, second: String, third: [String]
    @Guide(description: #"A "raw" text, \(not) interpolated"#, /[a-z,)]{1,3}/) public let code: String
    @Guide(
        description: "Ends with a brace }",
        .range(-1.5...2e-3)
    )
    public var `default`:
        Double
    public let list: Optional<[String]>; public let last: [Int]?
    var observed: Int = [1, 2].map { $0 * 2 }
        .reduce(0, +) { didSet { print("set") } }
    let constant: String = "no part of it"
    static let shared: [String: Int] = ["a": 1]
    lazy var later: Int = 3
    typealias Name =
        String
    var computed: Int { 1 }
    var long: Int {
        get { 2 }
        set {}
    }
    public enum Inner { case one, two }
    subscript(_ index: Int) -> Int { index }
    public static func == (left: OddlyWritten, right: OddlyWritten) -> Bool { left.code == right.code }
    init(code: String, _ action: () -> Void = {}) {
        first = ""; second = ""; third = []
        self.code = code
        self.default = 0
        list = nil; last = nil
    }
    func generic<T: Sequence>(_ values: T) -> [T.Element] where T.Element: Comparable { values.sorted() }
}

@Generable enum Choice: String {
    case red = "#f00", green  // "#0f0"
    case blue
    var isRed: Bool { self == .red }
}

@Suite struct MacroTests {
    @Test func aDeclarationIsReadAsItIsWritten() {
        #expect(
            OddlyWritten.generationSchema.debugDescription == """
                {"description":"OddlyWritten, \\"quoted\\" (and in brackets)","type":"object","properties":{\
                "first":{"type":"string"},"second":{"type":"string"},"third":{"type":"array","items":{"type":"string"}},\
                "code":{"type":"string","description":"A \\"raw\\" text, \\\\(not) interpolated",\
                "pattern":"^(?:[a-z,\\\\)]{1,3})$"},"default":{"type":"number","description":"Ends with a brace }",\
                "minimum":-1.5,"maximum":0.002},"list":{"type":"array","items":{"type":"string"}},\
                "last":{"type":"array","items":{"type":"integer"}},"observed":{"type":"integer"}},\
                "required":["first","second","third","code","default","observed"],"additionalProperties":false}
                """)
        #expect(Choice.generationSchema.debugDescription == ##"{"type":"string","enum":["#f00","green","blue"]}"##)
    }

    @Test func whatItMakesIsSeenAsFarAsTheType() throws {
        let partly = try OddlyWritten.PartiallyGenerated(GeneratedContent(json: #"{"first":"a","default":1}"#))
        #expect(partly.first == "a" && partly.default == 1 && partly.last == nil)
    }
}
