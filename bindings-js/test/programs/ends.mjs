// Engine, session and a stream that nobody reads on are left open.
import { ENDLESS, LONG, load } from '../loaded.mjs';

const { session } = await load();
const stream = await (await session()).replyWithStream(ENDLESS, LONG);
await stream.next();
console.log('bye');
