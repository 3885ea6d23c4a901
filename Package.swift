// swift-tools-version: 6.0
import CompilerPluginSupport
import PackageDescription

// SwiftPM finds packages at the root of a repository only. This one is bindings-swift-bridge.
let folder = "bindings-swift-bridge"

var products: [Product] = [
    .library(name: "Uzu", targets: ["Uzu"]),
    .library(name: "UzuGeneration", targets: ["UzuGeneration"]),
]
var targets: [Target] = [
    .target(
        name: "CUzu",
        path: "\(folder)/Sources/CUzu",
        cSettings: [.define("UZU_PACKAGE_FOLDER", to: "\"\(Context.packageDirectory)/\(folder)\"")],
        linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
    ),
    .target(name: "UzuGeneration", path: "\(folder)/Sources/UzuGeneration"),
    .target(name: "Uzu", dependencies: ["CUzu", "UzuGeneration"], path: "\(folder)/Sources/Uzu"),
]

#if !canImport(Darwin)
    // Apple's systems have their own module of this name.
    products.append(.library(name: "FoundationModels", targets: ["FoundationModels"]))
    targets += [
        .target(
            name: "FoundationModels",
            dependencies: ["UzuGeneration", "UzuMacros"],
            path: "\(folder)/Sources/FoundationModels"
        ),
        .macro(name: "UzuMacros", path: "\(folder)/Sources/UzuMacros"),
        .testTarget(
            name: "UzuTests",
            dependencies: ["Uzu", "FoundationModels"],
            path: "\(folder)/Tests/UzuTests"
        ),
    ]
#endif

let package = Package(
    name: "uzu",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: products,
    targets: targets
)
