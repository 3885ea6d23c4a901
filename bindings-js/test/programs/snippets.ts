/** Programs of uzu 0.6 as its users have them: only package and model are others. Each is a function of its own. */
import {
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    ChatSessionStreamChunkError,
    ChatSessionStreamChunkReplies,
    ChatSpeculationPresetClassification,
    ChatSpeculationPresetSummarization,
    Engine,
    EngineConfig,
    Feature,
    GrammarJsonSchema,
    type Model,
    type ReasoningEffort,
    SamplingMethodGreedy,
    SamplingMethodStochastic,
    SamplingPolicyCustom,
    uzuToolFunction,
} from 'uzu';
import * as z from 'zod';

const MODEL = process.argv[2] as string;

async function found(engine: Engine): Promise<Model> {
    let model = await engine.model(MODEL);
    if (!model) {
        throw new Error('Model not found');
    }
    for await (const update of await engine.download(model)) {
        console.log('Download progress:', update.progress);
    }
    return model;
}

async function quickStart() {
    let engineConfig = EngineConfig.create().withOpenaiApiKey('OPENAI_API_KEY');
    let engine = await Engine.create(engineConfig);
    let model = await found(engine);

    let messages = [
        ChatMessage.system().withText('You are a helpful assistant'),
        ChatMessage.user().withText('Tell me a short story about a tiny robot'),
    ];
    let session = await engine.chat(model, ChatConfig.create());
    let replies = await session.reply(messages, ChatReplyConfig.create().withTokenLimit(24));
    let message = replies[0]?.message;
    if (message) {
        console.log('Reasoning: ', message.reasoning);
        console.log('Text: ', message.text);
    }
}

async function streaming() {
    let engine = await Engine.create(EngineConfig.create());
    let model = await found(engine);

    let messages = [
        ChatMessage.system().withReasoningEffort('Disabled' as ReasoningEffort),
        ChatMessage.user().withText('Tell me a short, funny story about a robot'),
    ];
    let session = await engine.chat(model, ChatConfig.create());
    let stream = await session.replyWithStream(messages, ChatReplyConfig.create().withTokenLimit(24));
    let message: ChatMessage | undefined;
    for await (const chunk of stream) {
        if (chunk instanceof ChatSessionStreamChunkReplies) {
            message = chunk.replies[0]?.message;
            console.log('Generated tokens: ', chunk.replies[0]?.stats.tokensCountOutput);
        } else if (chunk instanceof ChatSessionStreamChunkError) {
            console.error('Error: ', chunk.error);
        }
    }
    console.log('Text: ', message?.text);
}

async function classification() {
    let engine = await Engine.create(EngineConfig.create());
    let model = await found(engine);

    let feature = new Feature('sentiment', ['Happy', 'Sad', 'Angry', 'Fearful', 'Surprised', 'Disgusted']);
    let config = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPresetClassification(feature));
    let session = await engine.chat(model, config);
    let prompt =
        `Text is: "Today's been awesome! Everything just feels right." ` +
        `Choose ${feature.name} from the list: ${feature.values.join(', ')}. Answer with one word.`;
    let messages = [
        ChatMessage.system().withReasoningEffort('Disabled' as ReasoningEffort),
        ChatMessage.user().withText(prompt),
    ];
    let replyConfig = ChatReplyConfig.create()
        .withTokenLimit(32)
        .withSamplingPolicy(new SamplingPolicyCustom(new SamplingMethodGreedy()));
    let reply = (await session.reply(messages, replyConfig))[0];
    console.log('Prediction: ', reply?.message.text);
    console.log('Generated tokens: ', reply?.stats.tokensCountOutput);
}

async function summarization() {
    let engine = await Engine.create(EngineConfig.create());
    let model = await found(engine);

    let config = ChatConfig.create().withSpeculationPreset(new ChatSpeculationPresetSummarization());
    let session = await engine.chat(model, config);
    let text = 'A language model guesses the next word of a text, again and again. '.repeat(8);
    let messages = [ChatMessage.user().withText(`Text is: "${text}". Write only a summary.`)];
    let sampling = new SamplingMethodStochastic(0.3, 20, 0.9);
    let replyConfig = ChatReplyConfig.create().withTokenLimit(32).withSamplingMethod(sampling);
    let reply = (await session.reply(messages, replyConfig))[0];
    console.log('Summary: ', reply?.message.text);
    console.log('Generation t/s: ', reply?.stats.generateTokensPerSecond);
}

const CountryType = z.object({ name: z.string(), capital: z.string() });
const CountryListType = z.array(CountryType);

async function structuredOutput() {
    let engine = await Engine.create(EngineConfig.create());
    let model = await found(engine);

    let session = await engine.chat(model, ChatConfig.create());
    let messages = [ChatMessage.user().withText('Give me a JSON array of 2 countries with their capitals')];
    let schema = JSON.stringify(z.toJSONSchema(CountryListType));
    let config = ChatReplyConfig.create().withTokenLimit(160).withGrammar(new GrammarJsonSchema(schema));
    let reply = (await session.reply(messages, config))[0];
    let countries = reply?.message.textDecoded(CountryListType);
    console.log('Countries: ', countries?.every((country) => typeof country.capital === 'string'));
}

async function toolCalling() {
    let engine = await Engine.create(EngineConfig.create());
    let model = await found(engine);

    let getTemperature = uzuToolFunction({
        name: 'get_temperature',
        description: 'Return the temperature at a coordinate.',
        parameters: z.object({ latitude: z.number().describe('Degrees north.'), longitude: z.number() }),
        returns: z.string(),
        handler: async ({ latitude }, { signal }) => (signal.aborted ? 'unknown' : `${latitude} °C`),
    });
    let session = await engine.chat(model, ChatConfig.create());
    await session.addTool(getTemperature);
    let messages = [ChatMessage.user().withText('What is the temperature at 51.5, -0.1?')];
    let replies = await session.reply(messages, ChatReplyConfig.create().withTokenLimit(48));
    console.log('Finished: ', replies.at(-1)?.finishReason !== null);
}

for (const snippet of [quickStart, streaming, classification, summarization, structuredOutput, toolCalling]) {
    console.log('==', snippet.name);
    await snippet();
}
