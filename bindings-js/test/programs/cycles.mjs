// Engines with a session and a cancelled reply, made and closed; the resident memory from the first quarter on.
import { Engine } from 'uzu';
import { ENDLESS, LONG, MODEL, load } from '../loaded.mjs';

const cycles = Number(process.argv[2]);
const { engine, model, session } = await load();

async function cycle() {
    const own = await Engine.create();
    await own.model(MODEL);
    const conversation = await session();
    const stream = await conversation.replyWithStream(ENDLESS, LONG);
    await stream.next();
    await stream.close();
    await conversation.close();
    await own.close();
}

let settled = 0;
for (let i = 1; i <= cycles; i++) {
    await cycle();
    if (i === cycles / 4) {
        globalThis.gc();
        settled = process.memoryUsage.rss();
    }
}
globalThis.gc();
console.log(JSON.stringify({ growth: process.memoryUsage.rss() - settled, model: model.identifier }));
await engine.close();
