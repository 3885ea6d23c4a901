// swift-tools-version: 6.0
import CompilerPluginSupport
import Foundation
import PackageDescription

// libuzu, its header and the engine, put there by `tools/tools build swift`.
let native = Context.packageDirectory + "/native"

/// The parts of swift-syntax that a toolchain carries for its own macros: nothing has to be fetched.
func toolchainSyntax() -> String? {
    (Context.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(fileURLWithPath: "\($0)/swiftc").resolvingSymlinksInPath() }
        .filter { FileManager.default.fileExists(atPath: $0.path) }
        .map { $0.deletingLastPathComponent().appendingPathComponent("../lib/swift/host").standardized.path }
        .first { FileManager.default.fileExists(atPath: $0 + "/SwiftSyntax.swiftmodule") }
}

var products: [Product] = [
    .library(name: "Uzu", targets: ["Uzu"]),
    .library(name: "UzuGeneration", targets: ["UzuGeneration"]),
]
var targets: [Target] = [
    .systemLibrary(name: "CUzu"),
    .target(name: "UzuGeneration"),
    .target(
        name: "Uzu",
        dependencies: ["CUzu", "UzuGeneration"],
        linkerSettings: [.unsafeFlags(["-L", native, "-Xlinker", "-rpath", "-Xlinker", native])]
    ),
]

#if !canImport(Darwin)
    // Apple's systems have their own module of this name.
    if let syntax = toolchainSyntax() {
        let libraries = [
            "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics", "SwiftSyntaxMacroExpansion",
            "SwiftCompilerPluginMessageHandling",
        ]
        products.append(.library(name: "FoundationModels", targets: ["FoundationModels"]))
        targets += [
            .target(name: "FoundationModels", dependencies: ["UzuGeneration", "UzuMacros"]),
            .macro(
                name: "UzuMacros",
                swiftSettings: [.unsafeFlags(["-I", syntax])],
                linkerSettings: [
                    .unsafeFlags(
                        ["-L", syntax, "-Xlinker", "-rpath", "-Xlinker", syntax] + libraries.map { "-l\($0)" })
                ]
            ),
            .testTarget(name: "UzuTests", dependencies: ["Uzu", "FoundationModels"]),
        ]
    }
#endif

let package = Package(
    name: "Uzu",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: products,
    targets: targets
)
