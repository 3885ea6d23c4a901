import Foundation

/// What the compiler talks to. It sends declarations as they are written and takes texts: swift-syntax, which most macros
/// are made with, would have to be fetched and compiled by whoever uses this package.
@main
struct Plugin {
    static func main() throws {
        while let message = try receive() {
            try send(answer(message))
        }
    }

    static func answer(_ message: CompilerMessage) -> PluginMessage {
        if message.getCapability != nil {
            return .capability
        }
        guard let expansion = message.expandAttachedMacro else {
            return .failure("this plugin has attached macros only", at: nil)
        }
        do {
            return .expansion(try expand(expansion))
        } catch {
            return .failure("\(error)", at: expansion.attributeSyntax.location)
        }
    }

    private static func expand(_ expansion: CompilerMessage.Expansion) throws -> String {
        switch (expansion.macro.typeName, expansion.macroRole) {
        case ("GenerableMacro", "extension"):
            let type = expansion.extendedTypeSyntax?.source.trimmingCharacters(in: .whitespacesAndNewlines)
            return try Generable(expansion).extensionText(of: type ?? "Self")
        case ("GenerableMacro", "member"):
            return try Generable(expansion).memberText
        case ("GuideMacro", _):
            return ""  // a mark that `Generable` reads
        case (let name, let role):
            throw NotGenerable("there is no macro \(name) for the role \(role)")
        }
    }

    /// Messages are JSON behind their length, 64 bits with the lowest first.
    private static func receive() throws -> CompilerMessage? {
        guard let head = try FileHandle.standardInput.read(upToCount: 8), head.count == 8 else {
            return nil
        }
        let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
        var body = Data()
        while body.count < length {
            guard let more = try FileHandle.standardInput.read(upToCount: length - body.count), !more.isEmpty else {
                return nil
            }
            body += more
        }
        return try JSONDecoder().decode(CompilerMessage.self, from: body)
    }

    private static func send(_ message: PluginMessage) throws {
        let body = try JSONEncoder().encode(message)
        let head = Data((0..<8).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) })
        try FileHandle.standardOutput.write(contentsOf: head + body)
    }
}

/// Why a declaration can't be expanded: an error of the compiler, at the attribute.
struct NotGenerable: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) {
        description = "@Generable: \(reason)"
    }
}
