/** A model is found, fetched, loaded, and asked once. */
import { ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig } from 'uzu';

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model('huggingface:smollm2:135m:gguf:q4_1:4');
if (!model) {
    throw new Error('Model not found');
}

for await (const update of await engine.download(model)) {
    process.stdout.write(`\rDownload progress: ${Math.round(100 * update.progress)}%`);
}
console.log();

const session = await engine.chat(model, ChatConfig.create());
const messages = [
    ChatMessage.system().withText('You are a helpful assistant'),
    ChatMessage.user().withText('Tell me a short story about a tiny robot'),
];
const replies = await session.reply(messages, ChatReplyConfig.create().withTokenLimit(256));
console.log(replies.at(-1)?.message.text);
