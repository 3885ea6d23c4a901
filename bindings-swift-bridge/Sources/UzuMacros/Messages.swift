/// What the compiler asks of a plugin: one of these.
struct CompilerMessage: Decodable {
    struct Capability: Decodable {}

    struct Macro: Decodable {
        let typeName: String
    }

    struct Location: Decodable {
        let fileName: String
        let offset: Int
    }

    struct Syntax: Decodable {
        let source: String
        let location: Location?
    }

    struct Expansion: Decodable {
        let macro: Macro
        let macroRole: String
        let attributeSyntax: Syntax
        let declSyntax: Syntax
        let extendedTypeSyntax: Syntax?
    }

    let getCapability: Capability?
    let expandAttachedMacro: Expansion?
}

/// What it is told: one of these.
struct PluginMessage: Encodable {
    struct Capability: Encodable {
        let protocolVersion = 7
    }

    struct CapabilityResult: Encodable {
        let capability = Capability()
    }

    struct Position: Encodable {
        let fileName: String
        let offset: Int
    }

    struct Diagnostic: Encodable {
        let message: String
        let severity = "error"
        let position: Position
        let highlights: [String] = []
        let notes: [String] = []
        let fixIts: [String] = []
    }

    struct MacroResult: Encodable {
        let expandedSource: String?
        let diagnostics: [Diagnostic]
    }

    var getCapabilityResult: CapabilityResult?
    var expandMacroResult: MacroResult?

    static let capability = PluginMessage(getCapabilityResult: CapabilityResult())

    static func expansion(_ source: String) -> PluginMessage {
        PluginMessage(expandMacroResult: MacroResult(expandedSource: source, diagnostics: []))
    }

    static func failure(_ message: String, at location: CompilerMessage.Location?) -> PluginMessage {
        let position = Position(fileName: location?.fileName ?? "", offset: location?.offset ?? 0)
        return PluginMessage(
            expandMacroResult: MacroResult(
                expandedSource: nil, diagnostics: [Diagnostic(message: message, position: position)]))
    }
}
