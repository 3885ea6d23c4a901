// overhead.mjs [MODEL]: as tools/programs/StreamOverhead.java, with the processor time of JavaScript's thread.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

import { ChatConfig, ChatSpeculationPresetOff, Engine, EngineConfig } from 'uzu';

import { ENDLESS, GREEDY, LONG, MODEL } from '../loaded.mjs';

const TOKENS_BEFORE_CANCEL = 100;

/** Milliseconds that this thread was running: on Linux as the kernel counts them, without those that others took. */
function busy() {
    try {
        return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
        return performance.eventLoopUtilization().active;
    }
}

const count = (chunk) => chunk.replies[0].stats.tokensCountOutput;

async function read(session, tokens) {
    const called = performance.now();
    const stream = await session.replyWithStream(ENDLESS, GREEDY.withTokenLimit(tokens));
    const before = count(await stream.next());
    const start = performance.now();
    const busyBefore = busy();
    let chunks = 0;
    let last;
    for await (const chunk of stream) {
        last = chunk;
        chunks++;
    }
    const milliseconds = performance.now() - start;
    const made = count(last) - before;
    return {
        tokens: made,
        chunks,
        firstMilliseconds: start - called,
        millisecondsPerToken: milliseconds / made,
        busyMicrosecondsPerToken: (1000 * (busy() - busyBefore)) / made,
    };
}

/** From asking for the end to the end. */
async function cancel(session) {
    const stream = await session.replyWithStream(ENDLESS, LONG);
    while (count(await stream.next()) < TOKENS_BEFORE_CANCEL);
    const asked = performance.now();
    stream.cancelToken.cancel();
    for await (const _ of stream);
    return { cancelMilliseconds: performance.now() - asked };
}

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model(process.argv[2] ?? MODEL);
const quiet = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPresetOff());
const instance = await engine.chatInstance(model, quiet);
await read(await engine.chatWithInstance(instance), 50);
for await (const line of createInterface({ input: process.stdin })) {
    const session = await engine.chatWithInstance(instance);
    console.log(JSON.stringify(await (line === 'cancel' ? cancel(session) : read(session, Number(line)))));
    await session.close();
}
await engine.close();
