import Foundation
import Testing
import Uzu

@Suite struct EngineTests {
    @Test func modelsAreFoundByManyNames() async throws {
        let engine = try await Loaded.engine
        let model = try await Loaded.model
        #expect(try await engine.model(identifier: "smollm2") == model)
        #expect(try await engine.model(identifier: "no-such-model") == nil)
        #expect(try await engine.models().contains(model))
        #expect(try await engine.modelsForChat().contains(model))
        #expect(try await engine.modelsDownloadable().contains(model))
        #expect(try await engine.modelsRemote().isEmpty)
        let family = try #require(model.family)
        #expect(try await engine.modelsByFamily(family: family).allSatisfy { $0.family == family })
        #expect(try await engine.modelsByVendor(vendor: family.vendor).contains(model))
        #expect(try await engine.modelVendors().contains(family.vendor))
        #expect(try await engine.modelFamilies().contains(family))
        #expect(try await engine.modelRegistries().contains(model.registry))
        #expect(model.isLocal() && model.isChatCapable() && model.isQuantized() && model.isDownloadable())
        #expect(!model.isRemote())
    }

    @Test func whatAModelCanDoIsKnown() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let can = try await engine.capabilities(model: model)
        #expect(can.chat && !can.reasoning && can.contextLength > 1000)
        #expect(try #require(try await engine.modelPath(model: model)).hasSuffix(".gguf"))
        #expect(try await Loaded.session().contextLength() > 1000)
        #expect(try await Loaded.instance.memoryUsedBytes() > 50_000_000)
        #expect(Engine.version.split(separator: ".").count == 3)
    }

    @Test func aModelThatIsHereIsDownloaded() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let state = try #require(try await engine.downloadState(model: model))
        #expect(state.phase == .downloaded && state.progress() == 1 && !state.canPause() && state.canDelete())
        #expect(try await engine.downloadStates()[model.identifier]?.phase == .downloaded)
        let downloader = engine.downloader(model: model)
        #expect(try await downloader.state() == state)
        #expect(await failure { try await downloader.pause() }?.code == "invalid_state")
        var updates = 0
        for try await _ in try await downloader.progress().iterator() {
            updates += 1
        }
        #expect(updates <= 1)
    }

    @Test func errorsNameWhatIsAtFault() async throws {
        let engine = try await Loaded.engine
        let model = try await Loaded.model
        let hot = greedy(4).withSamplingMethod(samplingMethod: .stochastic(temperature: -1))
        let error = await failure { _ = try await Loaded.session().reply(input: question("Hello"), config: hot) }
        guard case .invalidArgument(let message, let details) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("temperature"))
        #expect(details["field"]?.contains("temperature") == true)
        let none = ChatConfig.create().withContextLength(contextLength: .custom(length: -5))
        #expect(await failure { _ = try await engine.chat(model: model, config: none) }?.code == "invalid_argument")
        let folder = EngineConfig.create().withLocalPath(localPath: "/no/such/folder")
        #expect(await failure { _ = try await Engine.create(config: folder).models() } != nil)
    }

    @Test func whatIsClosedSaysSo() async throws {
        let session = try await Loaded.session()
        let stream = await session.replyWithStream(input: question("Count"), config: greedy(1500))
        await session.close()
        await session.close()
        #expect(await failure { _ = try await session.messages() }?.code == "closed")
        while let chunk = await stream.next() {
            if case .error(let error) = chunk {
                #expect(error.code == "closed" || error.code == "cancelled")
            }
        }
        await stream.close()
        #expect(await stream.next() == nil)
    }

    @Test func enginesComeAndGoAndLeaveNothing() async throws {
        for _ in 0..<20 {
            let engine = try await Engine.create(config: .create().withOffline(offline: true))
            await engine.close()
        }
        let before = Memory.resident()
        for _ in 0..<300 {
            let session = try await Loaded.session()
            await session.close()
            _ = try await Engine.create(config: .create().withOffline(offline: true))
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(Memory.resident() - before < 64_000_000)
    }

    @Test func aCancelledTaskGetsNoSession() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let task = Task { try await engine.chat(model: model) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

enum Memory {
    /// Bytes of this process; 0 where the system doesn't tell.
    static func resident() -> Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { Int($0[1]) } ?? 0) * 4096
    }
}
