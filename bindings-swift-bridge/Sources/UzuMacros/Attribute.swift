/// An attribute of a declaration, `@Guide(description: "…", .range(1...5))`.
struct Attribute {
    struct Argument {
        let label: String?
        let value: ArraySlice<Token>

        /// As it is written.
        var text: String { TokenReader.text(value) }
    }

    /// Without the module's.
    let name: String
    let arguments: [Argument]

    /// The argument with this label, as it is written.
    func text(of label: String) -> String? {
        arguments.first { $0.label == label }?.text
    }
}
