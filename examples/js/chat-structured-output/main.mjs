/** The reply is JSON of a type of this program, whatever the model, and becomes a value of it. */
import { ChatConfig, ChatMessage, ChatReplyConfig, Engine, EngineConfig, Grammar, SamplingMethodGreedy } from 'uzu';
import * as z from 'zod';

const Country = z.object({ name: z.string(), capital: z.string() });
const CountryList = z.object({ countries: z.array(Country) });

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model(process.argv[2] ?? 'huggingface:smollm2:135m:gguf:q4_1:4');
if (!model) {
    throw new Error('Model not found');
}
for await (const _ of await engine.download(model));

const session = await engine.chat(model, ChatConfig.create());
const messages = [
    ChatMessage.system().withReasoningEffort('Disabled'),
    ChatMessage.user().withText('Give me a JSON object with a list of 3 countries, each with name and capital'),
];
const config = ChatReplyConfig.create()
    .withTokenLimit(256)
    .withGrammar(Grammar.fromType(CountryList))
    .withSamplingMethod(new SamplingMethodGreedy());
const [{ message }] = await session.reply(messages, config);
console.log(message.text);
for (const country of message.textDecoded(CountryList).countries) {
    console.log(`The capital of ${country.name} is ${country.capital}`);
}
