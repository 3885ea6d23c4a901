import { ENDLESS, LONG, load } from '../loaded.mjs';

const { session } = await load();
const stream = await (await session()).replyWithStream(ENDLESS, LONG);
await stream.next();
console.log('started');
setTimeout(() => process.exit(3), 50);
for await (const _ of stream);
