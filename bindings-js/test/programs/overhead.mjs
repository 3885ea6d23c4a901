// What the thread of JavaScript has to do for each chunk of a stream that is read as it comes.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { ChatConfig, ChatSpeculationPresetOff } from 'uzu';

import { ENDLESS, GREEDY, load } from '../loaded.mjs';

/** Milliseconds that this thread was running: on Linux as the kernel counts them, without those that others took. */
function busy() {
    try {
        return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
        return performance.eventLoopUtilization().active;
    }
}

const tokens = Number(process.argv[2]);
const { engine, model } = await load();
const quiet = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPresetOff());
const instance = await engine.chatInstance(model, quiet);
const session = () => engine.chatWithInstance(instance);
await (await session()).reply(ENDLESS, GREEDY.withTokenLimit(50));
const stream = await (await session()).replyWithStream(ENDLESS, GREEDY.withTokenLimit(tokens));
await stream.next();
const before = busy();
const start = performance.now();
let chunks = 0;
let last;
for await (const chunk of stream) {
    last = chunk;
    chunks++;
}
const active = busy() - before;
const milliseconds = performance.now() - start;
console.log(
    JSON.stringify({
        chunks,
        tokens: last.replies[0].stats.tokensCountOutput,
        milliseconds,
        microsecondsPerChunk: (1000 * active) / chunks,
    }),
);
process.exit(0);
