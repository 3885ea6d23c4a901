@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// What the compiler talks to. Toolchains carry the parts of swift-syntax but not `SwiftCompilerPlugin`, which is this.
@main
struct Plugin: PluginProvider {
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        switch typeName {
        case "GenerableMacro": return GenerableMacro.self
        case "GuideMacro": return GuideMacro.self
        default: throw UnknownMacro(name: typeName)
        }
    }

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        let listener = CompilerPluginMessageListener(connection: connection, provider: Plugin())
        // It throws in some versions of the toolchain, and doesn't in others.
        let answer: () throws -> Void = listener.main
        try answer()
    }
}

struct UnknownMacro: Error, CustomStringConvertible {
    let name: String

    var description: String { "there is no macro \(name)" }
}
