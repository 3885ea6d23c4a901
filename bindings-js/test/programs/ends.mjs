// Engine, session, a callback and a stream that nobody reads on are left open.
import { ENDLESS, LONG, load } from '../loaded.mjs';

const { engine, session } = await load();
await engine.registerCallback(() => {});
const stream = await (await session()).replyWithStream(ENDLESS, LONG);
await stream.next();
console.log('bye');
