import { ENDLESS, LONG, load } from '../loaded.mjs';

const { session } = await load();
const stream = await (await session()).replyWithStream(ENDLESS, LONG);
await stream.next();
if (process.argv[2] === 'catch') {
    process.once('SIGINT', () => stream.cancelToken.cancel());
}
console.log('started');
let last;
for await (const chunk of stream) {
    last = chunk;
}
console.log('interrupted', last.replies[0].finishReason);
