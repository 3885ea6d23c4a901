import Foundation
import Uzu
import XCTest

final class ChatTests: XCTestCase {
    func testAReplyHasTextStatsAndAReason() async throws {
        let session = try await Loaded.session()
        let replies = try await session.reply(input: question("What is the capital of France?"), config: greedy(12))
        let reply = try XCTUnwrap(replies.last)
        XCTAssertEqual(replies.count, 1)
        XCTAssertFalse(try XCTUnwrap(reply.message.text()).isEmpty)
        XCTAssertNil(reply.message.reasoning())
        XCTAssertEqual(reply.message.role, .assistant)
        XCTAssertNotNil(reply.finishReason)
        XCTAssertLessThanOrEqual(try XCTUnwrap(reply.stats.tokensCountOutput), 12)
        XCTAssertGreaterThan(try XCTUnwrap(reply.stats.tokensCountInput), 5)
        XCTAssertGreaterThan(try XCTUnwrap(reply.stats.timeToFirstToken), 0)
        XCTAssertNotNil(reply.stats.seed)
        let history = try await session.messages()
        XCTAssertEqual(history.map(\.role), [.user, .assistant])
        XCTAssertEqual(history.last?.text(), reply.message.text())
    }

    func testTheSameSeedGivesTheSameText() async throws {
        let config = ChatReplyConfig.create().withTokenLimit(tokenLimit: 16)
        let first = try await Loaded.session().reply(input: question("Tell me a story"), config: config)
        let seed = try XCTUnwrap(first.last?.stats.seed)
        let again = try await Loaded.session().reply(
            input: question("Tell me a story"), config: config.withSeed(seed: seed))
        XCTAssertEqual(again.last?.message, first.last?.message)
    }

    func testAStreamGrowsToTheReply() async throws {
        let session = try await Loaded.session()
        var texts: [String] = []
        var last: ChatReply?
        let stream = await session.replyWithStream(input: question("Count to twenty"), config: greedy(40))
        for try await chunk in stream.iterator() {
            guard case .replies(let replies) = chunk else { return XCTFail("\(chunk)") }
            last = replies.last
            texts.append(replies.last?.message.text() ?? "")
        }
        XCTAssertGreaterThan(texts.count, 3)
        for (earlier, later) in zip(texts, texts.dropFirst()) {
            XCTAssertTrue(later.hasPrefix(earlier), "\(earlier) … \(later)")
        }
        XCTAssertNotNil(last?.finishReason)
        let state = try await session.state()
        XCTAssertEqual(state, .idle)
    }

    func testACancelledTaskStopsItsReply() async throws {
        let session = try await Loaded.session()
        let task = Task { try await session.reply(input: question("Count to a thousand"), config: greedy(1500)) }
        try await Task.sleep(for: .milliseconds(300))
        let start = ContinuousClock.now
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("the reply came to its end")
        } catch is CancellationError {}
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(1))
        let replies = try await session.reply(input: question("Hello"), config: greedy(4))
        XCTAssertEqual(replies.count, 1)
    }

    func testACancelTokenEndsTheStreamWithWhatThereIs() async throws {
        let session = try await Loaded.session()
        let stream = await session.replyWithStream(input: question("Count to a thousand"), config: greedy(1500))
        var last: ChatReply?
        for try await chunk in stream.iterator() {
            guard case .replies(let replies) = chunk else { return XCTFail("\(chunk)") }
            last = replies.last
            stream.cancelToken().cancel()
        }
        XCTAssertEqual(last?.finishReason, .cancelled)
        XCTAssertTrue(stream.cancelToken().isCancelled())
    }

    func testLeavingTheLoopStopsTheReply() async throws {
        let session = try await Loaded.session()
        for try await _ in await session.replyWithStream(input: question("Count"), config: greedy(1500)).iterator() {
            break
        }
        for _ in 0..<100 where try await session.state() != .idle {
            try await Task.sleep(for: .milliseconds(20))
        }
        let state = try await session.state()
        XCTAssertEqual(state, .idle)
    }

    func testEightSessionsReplyAtTheSameTimeAsEachWouldAlone() async throws {
        let prompts = (1...8).map { "Tell me \($0) facts about the number \($0)" }
        let together = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for (index, prompt) in prompts.enumerated() {
                group.addTask {
                    let session = try await Loaded.session()
                    let replies = try await session.reply(input: question(prompt), config: greedy(12))
                    return (index, replies.last?.message.text())
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        XCTAssertEqual(together.count, 8)
        for index in [0, 5] {
            let alone = try await Loaded.session().reply(input: question(prompts[index]), config: greedy(12))
            XCTAssertEqual(alone.last?.message.text(), together[index])
        }
    }

    func testASecondReplyWhileOneRunsIsRefused() async throws {
        let session = try await Loaded.session()
        let first = await session.replyWithStream(input: question("Count"), config: greedy(1500))
        let second = await session.replyWithStream(input: question("Count"), config: greedy(4))
        guard case .error(let error) = await second.next() else { return XCTFail("no error") }
        XCTAssertEqual(error.code, "invalid_state")
        let end = await second.next()
        XCTAssertNil(end)
        await first.close()
    }

    func testAForkGoesItsOwnWay() async throws {
        let session = try await Loaded.session()
        _ = try await session.reply(input: question("My name is Ada"), config: greedy(6))
        let fork = try await session.fork()
        _ = try await fork.reply(input: question("Hello"), config: greedy(4))
        let lengths = try await (session.messages().count, fork.messages().count)
        XCTAssertEqual(lengths.0, 2)
        XCTAssertEqual(lengths.1, 4)
    }

    func testAConversationIsSavedAndRestored() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("uzu-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let session = try await Loaded.session()
        _ = try await session.reply(input: question("Hello"), config: greedy(4))
        try await session.save(path: file)
        let other = try await Loaded.session()
        try await other.restore(path: file)
        let (saved, restored) = try await (session.messages(), other.messages())
        XCTAssertEqual(restored, saved)
        try await other.setMessages(messages: [ChatMessage.system().withText(text: "Be brief")])
        let replaced = try await other.messages()
        XCTAssertEqual(replaced, [ChatMessage.system().withText(text: "Be brief")])
        try await other.reset()
        let empty = try await other.messages()
        XCTAssertEqual(empty, [])
    }

    func testRawTextIsContinued() async throws {
        let (engine, model) = try await (Loaded.engine, Loaded.model)
        let completion = try await engine.complete(model: model, text: "The capital of France is", config: greedy(4))
        XCTAssertTrue(completion.text.contains("Paris"), completion.text)
        XCTAssertEqual(completion.finishReason, .length)
        let tokens = try await engine.countTokens(model: model, text: "Hello, world")
        XCTAssertEqual(tokens, 3)
    }

    func testLogprobsAndStopStringsAreAsAskedFor() async throws {
        let config = greedy(20).withLogprobs(logprobs: 2).withStop(stop: [" "])
        let reply = try await Loaded.session().reply(input: question("What is the capital of France?"), config: config)
        let last = try XCTUnwrap(reply.last)
        XCTAssertEqual(last.finishReason, .stop)
        XCTAssertFalse(try XCTUnwrap(last.message.text()).contains(" "))
        XCTAssertEqual(last.logprobs.first?.alternatives.count, 2)
    }
}
