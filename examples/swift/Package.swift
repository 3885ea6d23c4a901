// swift-tools-version: 6.0
import PackageDescription

let plain = ["quick-start", "chat", "chat-shared-instance"]
let generating = ["chat-structured-output", "tool-calls"]

func example(_ name: String, _ products: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: products.map { .product(name: $0, package: "uzu") },
        path: name
    )
}

// Apple's systems have FoundationModels themselves.
#if canImport(Darwin)
    let types: [String] = []
#else
    let types = ["FoundationModels"]
#endif

let package = Package(
    name: "examples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "uzu", path: "../..")],
    targets: plain.map { example($0, ["Uzu"]) } + generating.map { example($0, ["Uzu"] + types) }
)
