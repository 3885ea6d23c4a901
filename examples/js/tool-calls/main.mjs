/** The model calls functions of this program, and answers with what they say. */
import {
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSessionStreamChunkError,
    ChatSessionStreamChunkToolResults,
    Engine,
    EngineConfig,
    SamplingMethodGreedy,
    ToolChoiceRequired,
    uzuToolFunction,
} from 'uzu';
import * as z from 'zod';

const Coordinate = z.object({ latitude: z.number().describe('As get_location returns it.'), longitude: z.number() });

const location = uzuToolFunction({
    name: 'get_location',
    description: 'Return the coordinates of the place where the user is now.',
    parameters: z.object({}),
    returns: Coordinate,
    handler: async () => ({ latitude: 51.5074, longitude: -0.1278 }),
});

const temperature = uzuToolFunction({
    name: 'get_temperature',
    description: 'Return the temperature in degrees Celsius at a coordinate.',
    parameters: Coordinate,
    returns: z.string(),
    handler: ({ latitude }) => `${(25 - Math.abs(latitude) / 10).toFixed(0)} °C`,
});

const engine = await Engine.create(EngineConfig.create());
const model = await engine.model(process.argv[2] ?? 'huggingface:smollm2:135m:gguf:q4_1:4');
if (!model) {
    throw new Error('Model not found');
}
for await (const _ of await engine.download(model));

const session = await engine.chat(model, ChatConfig.create());
await session.addTools([location, temperature]);
const question = ChatMessage.user().withText('Where am I, and what temperature is it there?');
// Small models rather guess than ask: here they have to.
const config = ChatReplyConfig.create()
    .withToolChoice(new ToolChoiceRequired())
    .withSamplingMethod(new SamplingMethodGreedy())
    .withTokenLimit(256);
for await (const chunk of await session.replyWithStream([question], config)) {
    if (chunk instanceof ChatSessionStreamChunkToolResults) {
        chunk.results.forEach((result) => console.log(`${result.name} said`, result.value));
    } else if (chunk instanceof ChatSessionStreamChunkError) {
        throw chunk.error;
    } else if (chunk.replies[0].finishReason !== null) {
        const { message } = chunk.replies[0];
        message.toolCalls.forEach((call) => console.log(`calling ${call.name} with`, call.arguments));
        console.log(message.text ?? '');
    }
}
