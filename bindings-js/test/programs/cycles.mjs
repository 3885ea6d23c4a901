// Engines and sessions, some with a reply that is cancelled, made and closed; how memory grows after the first quarter.
import { Engine } from 'uzu';
import { HELLO, LONG, MODEL, load } from '../loaded.mjs';

const cycles = Number(process.argv[2]);
const { engine, model, session } = await load();

async function cycle(replies) {
    const own = await Engine.create();
    await own.model(MODEL);
    const conversation = await session();
    if (replies) {
        const stream = await conversation.replyWithStream(HELLO, LONG);
        await stream.next();
        await stream.close();
    }
    await conversation.close();
    await own.close();
}

let settled = 0;
for (let i = 1; i <= cycles; i++) {
    await cycle(i % 8 === 0);
    if (i === cycles / 4) {
        globalThis.gc();
        settled = process.memoryUsage.rss();
    }
}
globalThis.gc();
console.log(JSON.stringify({ growth: process.memoryUsage.rss() - settled, model: model.identifier }));
await engine.close();
