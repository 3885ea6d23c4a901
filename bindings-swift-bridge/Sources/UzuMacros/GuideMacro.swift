import SwiftSyntax
import SwiftSyntaxMacros

/// A mark that `GenerableMacro` reads; it makes nothing itself.
struct GuideMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}
