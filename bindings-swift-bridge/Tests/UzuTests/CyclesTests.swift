import Foundation
import Uzu
import XCTest

/// Of XCTest, which runs one test at a time: what others load meanwhile would count as left behind.
final class CyclesTests: XCTestCase {
    func testEnginesAndSessionsComeAndGoAndLeaveNothing() async throws {
        let cycles = (ProcessInfo.processInfo.environment["UZU_TEST_FULL"] ?? "").isEmpty ? 200 : 1000
        var settled = 0
        for round in 1...cycles {
            try await cycle(round)
            if round == cycles / 4 {
                settled = resident()
            }
        }
        let growth = resident() - settled
        print("\(growth / 1024) KiB more after \(cycles) cycles")
        XCTAssertLessThan(growth, 48 << 20)
    }

    /// Half of them are closed by hand, half by being dropped; two of eight have a reply that is cut off.
    private func cycle(_ round: Int) async throws {
        let engine = try await Engine.create(config: .create().withOffline(offline: true))
        _ = try await engine.model(identifier: Loaded.identifier)
        let session = try await Loaded.session()
        if round % 8 < 2 {
            let stream = await session.replyWithStream(input: question("Say hello to Ada."), config: greedy(1000))
            _ = await stream.next()
        }
        if round % 2 == 0 {
            await session.close()
            await engine.close()
        }
    }

    /// Bytes of this process that are in memory; 0 where the system doesn't tell.
    private func resident() -> Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { Int($0[1]) } ?? 0) * 4096
    }
}
