/** Replies: whole, streamed, cancelled, many at once. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import * as uzu from 'uzu';
import {
    ChatConfig,
    ChatMessage,
    ChatSessionStreamChunk,
    ChatSessionStreamChunkError,
    ChatSessionStreamChunkReplies,
    ChatSpeculationPreset,
} from 'uzu';
import { ENDLESS, GREEDY, HELLO, LONG, idle, load, pause } from './loaded.mjs';

let loaded;
before(async () => (loaded = await load()));
after(() => loaded.engine.close());

test('a reply is a message with figures', async () => {
    const session = await loaded.session();
    const replies = await session.reply(HELLO, GREEDY.withTokenLimit(8));
    assert.equal(replies.length, 1);
    const [{ message, stats, finishReason }] = replies;
    assert.ok(message.role.type === 'Assistant' && message.text);
    assert.ok(['Length', 'Stop'].includes(finishReason));
    assert.ok(stats.tokensCountOutput >= 1 && stats.tokensCountOutput <= 8 && stats.tokensCountInput > 0);
    assert.ok(stats.duration > 0);
    assert.deepEqual(await session.messages, [...HELLO, message]);
    assert.equal(await session.state, 'Idle');
    assert.ok((await session.contextLength) > 0);
    await session.reset();
    assert.deepEqual(await session.messages, []);
});

test('each chunk has the whole message so far', async () => {
    const session = await loaded.session();
    const stream = await session.replyWithStream(HELLO, GREEDY.withTokenLimit(8));
    const seen = [];
    for await (const chunk of stream) {
        assert.ok(chunk instanceof ChatSessionStreamChunkReplies && chunk instanceof ChatSessionStreamChunk.Replies);
        seen.push(chunk.replies[0]);
    }
    const texts = seen.map((reply) => reply.message.text ?? '');
    assert.ok(texts.every((text, i) => i === 0 || text.startsWith(texts[i - 1])));
    assert.ok(seen.every((reply, i) => (reply.finishReason === null) === i < seen.length - 1));
    assert.equal(await stream.next(), null);
    assert.deepEqual((await session.messages).at(-1), seen.at(-1).message);
    const again = await (await loaded.session()).reply(HELLO, GREEDY.withTokenLimit(8));
    assert.deepEqual(again[0].message, seen.at(-1).message);
});

test('a seed that is reported repeats its reply', async () => {
    const config = uzu.ChatReplyConfig.create().withTokenLimit(8);
    const [first] = await (await loaded.session()).reply(HELLO, config);
    const [again] = await (await loaded.session()).reply(HELLO, config.withSeed(first.stats.seed));
    assert.deepEqual([again.message, again.stats.seed], [first.message, first.stats.seed]);
    const [large] = await (await loaded.session()).reply(HELLO, config.withTokenLimit(1).withSeed(2n ** 63n - 1n));
    assert.equal(large.stats.seed, 2n ** 63n - 1n);
});

test('speculation leaves the text and says what it brought', async () => {
    const texts = new Set();
    for (const preset of [new ChatSpeculationPreset.Off(), new ChatSpeculationPreset.Summarization()]) {
        const session = await loaded.engine.chat(loaded.model, ChatConfig.create().withSpeculationPreset(preset));
        const [{ message, stats }] = await session.reply(ENDLESS, GREEDY.withTokenLimit(24));
        texts.add(message.text);
        const drafts = stats.speculatorStats;
        assert.equal(drafts === null, preset instanceof ChatSpeculationPreset.Off);
        assert.ok(drafts === null || (drafts.tokensPerForwardPass >= 1 && drafts.numDecodeForwardPasses > 0));
        await session.close();
    }
    assert.equal(texts.size, 1);
});

test('the cancel token ends a reply within a pass', async () => {
    const session = await loaded.session();
    const stream = await session.replyWithStream(ENDLESS, LONG);
    const seen = [];
    for (let i = 0; i < 3; i++) {
        seen.push(await stream.next());
    }
    assert.ok(!stream.cancelToken.isCancelled);
    const before = seen.at(-1).replies[0].stats.tokensCountOutput;
    stream.cancelToken.cancel();
    let last;
    for await (const chunk of stream) {
        last = chunk;
    }
    assert.ok(stream.cancelToken.isCancelled && last instanceof ChatSessionStreamChunkReplies);
    assert.equal(last.replies[0].finishReason, 'Cancelled');
    // What was on its way, and the tokens of one pass, of which a draft may be accepted.
    assert.ok(last.replies[0].stats.tokensCountOutput - before < 64);
    assert.equal(await session.state, 'Idle');
    stream.cancelToken.cancel();
});

test('leaving the loop cancels the reply', async () => {
    const session = await loaded.session();
    for await (const chunk of await session.replyWithStream(ENDLESS, LONG)) {
        assert.ok(chunk.replies);
        break;
    }
    assert.equal(await session.state, 'Idle');
    assert.ok((await session.reply(HELLO, GREEDY.withTokenLimit(2)))[0].message.text);
});

test('an aborted signal ends a reply with its reason', async () => {
    const session = await loaded.session();
    await assert.rejects(session.reply(ENDLESS, LONG, { signal: AbortSignal.timeout(300) }), { name: 'TimeoutError' });
    await idle(session);
    const controller = new AbortController();
    const stream = await session.replyWithStream(ENDLESS, LONG, { signal: controller.signal });
    await stream.next();
    const reading = (async () => {
        for await (const _ of stream);
    })();
    controller.abort();
    await assert.rejects(reading, { name: 'AbortError' });
    await idle(session);
    await assert.rejects(session.reply(HELLO, GREEDY, { signal: controller.signal }), { name: 'AbortError' });
});

test('a second reply meanwhile is an error', async () => {
    const session = await loaded.session();
    const stream = await session.replyWithStream(ENDLESS, LONG);
    await stream.next();
    await assert.rejects(session.reply(HELLO, GREEDY), { code: 'invalid_state' });
    const both = Promise.allSettled([stream.next(), stream.next()]);
    assert.deepEqual((await both).map((each) => each.status).sort(), ['fulfilled', 'fulfilled']);
    await stream.close();
    await idle(session);
});

test('a stream and a session that are closed say so', async () => {
    const session = await loaded.session();
    const stream = await session.replyWithStream(ENDLESS, LONG);
    await stream.next();
    const reading = Array.fromAsync?.(stream) ?? collect(stream);
    await pause(0);
    await stream.close();
    const chunks = await reading;
    assert.ok(chunks.at(-1) instanceof ChatSessionStreamChunkError && chunks.at(-1).error instanceof uzu.Closed);
    assert.equal(await stream.next(), null);
    await idle(session);
    const other = await session.replyWithStream(ENDLESS, LONG);
    await session.close();
    assert.ok((await collect(other)).at(-1).error instanceof uzu.Closed);
    await assert.rejects(session.messages, uzu.Closed);
});

test('a dropped stream stops its reply', { skip: globalThis.gc ? false : 'needs --expose-gc' }, async () => {
    const session = await loaded.session();
    await (async () => {
        const stream = await session.replyWithStream(ENDLESS, LONG);
        await stream.next();
    })();
    for (let i = 0; i < 100 && (await session.state) !== 'Idle'; i++) {
        globalThis.gc();
        await pause(20);
    }
    assert.equal(await session.state, 'Idle');
});

test('eight sessions answer at once, and the event loop stays free', async () => {
    const delays = [];
    let last = performance.now();
    const ticking = setInterval(() => {
        delays.push(performance.now() - last - 10);
        last = performance.now();
    }, 10);
    const sessions = await Promise.all(Array.from({ length: 8 }, () => loaded.session()));
    const replies = await Promise.all(sessions.map((session) => session.reply(HELLO, GREEDY.withTokenLimit(12))));
    clearInterval(ticking);
    assert.equal(new Set(replies.map(([reply]) => reply.message.text)).size, 1);
    delays.sort((a, b) => a - b);
    assert.ok(
        delays.length > 5 && delays[Math.floor(delays.length / 2)] < 50,
        `median ${delays[delays.length >> 1]} ms`,
    );
    await Promise.all(sessions.map((session) => session.close()));
});

test('a fork goes its own way', async () => {
    const session = await loaded.session();
    await session.reply(HELLO, GREEDY.withTokenLimit(4));
    const before = await session.messages;
    const fork = await session.fork();
    assert.deepEqual(await fork.messages, before);
    const [first] = await fork.reply(HELLO, GREEDY.withTokenLimit(4));
    await fork.close();
    assert.deepEqual(await session.messages, before);
    const [again] = await session.reply(HELLO, GREEDY.withTokenLimit(4));
    assert.deepEqual(again.message, first.message);
});

test('a conversation is saved and goes on elsewhere', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uzu-'));
    const file = join(folder, 'a conversation');
    const session = await loaded.session();
    await session.reply(HELLO, GREEDY.withTokenLimit(4));
    await session.save(file);
    const other = await loaded.session();
    await other.restore(file);
    assert.deepEqual(await other.messages, await session.messages);
    await writeFile(file, 'damaged');
    await assert.rejects(other.restore(file), { code: 'invalid_argument', details: { path: file } });
    assert.deepEqual(await other.messages, await session.messages);
    await assert.rejects(session.save(5), { code: 'invalid_argument', details: { field: 'path' } });
    await rm(folder, { recursive: true });
});

test('a conversation can be edited', async () => {
    const session = await loaded.session();
    const messages = [...HELLO, ChatMessage.assistant().withText('Hello, Ada.')];
    await session.setMessages(messages);
    assert.deepEqual(await session.messages, messages);
    await assert.rejects(session.setMessages(HELLO[0]), { code: 'invalid_argument', details: { field: 'messages' } });
});

for (const input of ['hello', HELLO[0], null, [{ role: 'user', content: 'hello' }], ['hello'], []]) {
    test(`an input that is no list of messages is refused: ${JSON.stringify(input)}`, async () => {
        await assert.rejects((await loaded.session()).reply(input, GREEDY), uzu.InvalidArgument);
    });
}

for (const text of [5, null, '\ud800']) {
    test(`a text that is none is refused: ${JSON.stringify(text)}`, async () => {
        await assert.rejects((await loaded.session()).reply([ChatMessage.user().withText(text)], GREEDY), {
            code: 'invalid_argument',
        });
    });
}

async function collect(stream) {
    const chunks = [];
    for await (const chunk of stream) {
        chunks.push(chunk);
    }
    return chunks;
}
