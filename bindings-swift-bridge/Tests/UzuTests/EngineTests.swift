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

    @Test func anEngineTellsWhatHappens() async throws {
        let engine = try await Engine.create(config: .create())
        let info = try await engine.info()
        #expect(!info.matrixKernels.isEmpty && info.threads > 0 && info.weightBytes == 0)
        let (seen, report) = AsyncStream.makeStream(of: EngineEvent.self)
        let callback = try await engine.registerCallback { report.yield($0) }
        let events = try await engine.events()
        let session = try await engine.chat(model: try await Loaded.model)
        guard case .modelLoaded(let model, _, let bytes) = try await events.next() else {
            Issue.record("no event")
            return
        }
        #expect(model == Loaded.identifier && bytes > 50_000_000)
        await session.close()
        #expect(try await events.next() == .modelUnloaded(model: Loaded.identifier))
        await engine.close()
        #expect(try await events.next() == nil)
        var all: [EngineEvent] = []
        for await event in seen.prefix(2) {
            all.append(event)
        }
        #expect(all.last == .modelUnloaded(model: Loaded.identifier))
        callback.cancel()
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
        let threads = EngineConfig.create().withThreads(threads: -1)
        #expect(await failure { _ = try await Engine.create(config: threads) }?.code == "invalid_argument")
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

    @Test func aCancelledTaskGetsNoSession() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let task = Task { try await engine.chat(model: model) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
