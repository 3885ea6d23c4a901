import Foundation
import XCTest

/// The API against docs/api-members.json, which every language is checked with; docs/parity.md says how it is read.
/// What the module has is what the compiler says of it.
final class ParityTests: XCTestCase {
    private struct List: Decodable {
        struct Listed: Decodable {
            let kind: String
            let members: [String]?
            let values: [String]?
            let variants: [String: [String]]?
        }

        let types: [String: Listed]
        let errors: [String]
        let differences: [String: [String: String?]]
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            let pathComponents: [String]
        }

        let symbols: [Symbol]
    }

    private struct TargetInfo: Decodable {
        struct Target: Decodable {
            let moduleTriple: String
        }

        let target: Target
    }

    func testEveryMemberIsThereUnlessTheListSaysOtherwise() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let text = try Data(contentsOf: root.appendingPathComponent("docs/api-members.json"))
        let list = try JSONDecoder().decode(List.self, from: text)
        let differences = try XCTUnwrap(list.differences["swift"])
        let found = try members()
        let expected = ParityTests.expected(list)
        let missing = expected.filter { !found.contains("\($0.value.0).\($0.value.1)") }.map(\.key)
        XCTAssertEqual(Set(missing), Set(differences.filter { $0.value == nil }.keys))
        XCTAssertEqual(Set(differences.keys).subtracting(expected.keys), [])
    }

    /// From a path in the list to type and member in Swift; fields of a variant are `variant(field:)`.
    private static func expected(_ list: List) -> [String: (String, String)] {
        var paths: [String: (String, String)] = [:]
        for (type, listed) in list.types {
            for member in listed.members ?? [] {
                paths["\(type).\(member)"] = (type, camel(member))
                if listed.kind == "config" {
                    paths["\(type).with_\(member)"] = (type, "with" + camel("_" + member))
                }
            }
            if listed.kind == "config" {
                paths["\(type).create"] = (type, "create")
            }
            for value in listed.values ?? [] {
                paths["\(type).\(value)"] = (type, lower(value))
            }
            for (variant, fields) in listed.variants ?? [:] {
                paths["\(type).\(variant)"] = (type, lower(variant))
                for field in fields {
                    paths["\(type).\(variant).\(field)"] = (type, "\(lower(variant))(\(camel(field)):)")
                }
            }
        }
        for code in list.errors {
            paths[code] = ("UzuError", camel(code))
        }
        return paths
    }

    /// `Type.member` of all that is public, and `Type.member(label:)` for each label.
    private func members() throws -> Set<String> {
        let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Modules")
        let map = modules.appendingPathComponent("../CUzu.build/module.modulemap").standardized
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("uzu-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let info = try output(of: ["swiftc", "-print-target-info"])
        let triple = try JSONDecoder().decode(TargetInfo.self, from: info).target.moduleTriple
        _ = try output(of: [
            "swift-symbolgraph-extract", "-module-name", "Uzu", "-I", modules.path, "-sdk", "/", "-output-dir",
            folder.path, "-Xcc", "-fmodule-map-file=\(map.path)", "-target", triple,
        ])
        let graph = try Data(contentsOf: folder.appendingPathComponent("Uzu.symbols.json"))
        return try JSONDecoder().decode(Graph.self, from: graph).symbols.reduce(into: []) { names, symbol in
            guard let type = symbol.pathComponents.first, let member = symbol.pathComponents.dropFirst().first else {
                return
            }
            let parts = member.split(separator: "(", maxSplits: 1)
            names.insert("\(type).\(parts[0])")
            for label in parts.dropFirst().flatMap({ $0.dropLast().split(separator: ":") }) {
                names.insert("\(type).\(parts[0])(\(label):)")
            }
        }
    }

    private func output(of command: [String]) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, command[0])
        return output
    }

    /// model_path → modelPath.
    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
    }

    /// AsGiven → asGiven, BF16 → bf16.
    private static func lower(_ name: String) -> String {
        name.contains { $0.isLowercase } ? name.prefix(1).lowercased() + name.dropFirst() : name.lowercased()
    }
}
