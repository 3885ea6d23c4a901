/** Functions as tools, partial JSON, and replies that follow grammars or call. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, test } from 'node:test';

import * as z from 'zod';
import * as uzu from 'uzu';
import {
    ChatMessage,
    ChatSessionStreamChunkToolResults,
    Grammar,
    ToolChoiceNamed,
    UzuToolFunction,
    uzuToolFunction,
} from 'uzu';
import { GREEDY, load } from './loaded.mjs';

let loaded;
before(async () => (loaded = await load()));
after(() => loaded.engine.close());

const add = uzuToolFunction({
    name: 'add',
    description: 'Add two numbers',
    parameters: z.object({ left: z.number().describe('Left operand.'), right: z.number() }),
    returns: z.number(),
    handler: ({ left, right }) => Promise.resolve(left + right),
});

test('a tool has its schemas and calls its handler', async () => {
    assert.ok(add instanceof UzuToolFunction);
    assert.deepEqual([add.name, add.description], ['add', 'Add two numbers']);
    assert.equal(add.parametersSchema.additionalProperties, false);
    assert.deepEqual(add.parametersSchema.required, ['left', 'right']);
    assert.deepEqual(add.parametersSchema.properties.left, { type: 'number', description: 'Left operand.' });
    assert.equal(add.returnSchema.type, 'number');
    assert.equal(await add.invoke({ left: 2, right: 3 }), 5);
});

test('arguments and results are checked', async () => {
    const length = uzuToolFunction({
        name: 'length',
        parameters: z.object({ value: z.string() }),
        returns: z.number(),
        handler: ({ value }) => (value === '?' ? 'not a number' : value.length),
    });
    assert.equal(await length.invoke({ value: 'uzu' }), 3);
    await assert.rejects(length.invoke({ value: 3 }), z.ZodError);
    await assert.rejects(length.invoke({ value: '?' }), z.ZodError);
    await assert.rejects(length.answer({ value: 3 }, new AbortController().signal), {
        code: 'invalid_argument',
        details: { field: 'value' },
    });
});

test('a handler gets the signal, and no more time than its timeout', async () => {
    const options = { parameters: z.object({}), returns: z.boolean() };
    const aborted = uzuToolFunction({ ...options, name: 'aborted', handler: (_, { signal }) => signal.aborted });
    assert.equal(await aborted.invoke({}, { signal: AbortSignal.abort() }), true);
    const slow = uzuToolFunction({ ...options, name: 'slow', timeout: 20, handler: () => new Promise(() => {}) });
    const alive = setTimeout(() => {}, 60_000);
    await assert.rejects(slow.invoke({}), /longer than 20 ms/);
    clearTimeout(alive);
});

test('a tool without types has the schema it is given', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    const twice = uzuToolFunction({ name: 'twice', parameters: schema, handler: ({ n }) => 2 * n });
    assert.deepEqual([twice.parametersSchema, twice.returnSchema], [schema, null]);
    assert.equal(await twice.invoke({ n: 4 }), 8);
});

test('what is no tool is refused', async () => {
    const invalid = { code: 'invalid_argument' };
    assert.throws(() => uzuToolFunction({ name: ' ', parameters: z.object({}), handler: () => 1 }), invalid);
    assert.throws(() => uzuToolFunction({ name: 'a', parameters: z.object({}) }), invalid);
    await assert.rejects((await loaded.session()).addTool({ name: 'a' }), invalid);
    await assert.rejects((await loaded.session()).addTools(add), invalid);
});

for (const [text, expected] of [
    ['', null],
    ['{', {}],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a": 1', { a: 1 }],
    ['{"a": 1.', { a: 1 }],
    ['{"a": -', {}],
    ['{"a": tru', {}],
    ['{"a": true', { a: true }],
    ['{"a": "x', { a: 'x' }],
    ['{"a": "x\\', { a: 'x' }],
    ['{"a": "x\\u00', { a: 'x' }],
    ['{"a": "\\ud83d\\ude', { a: '' }],
    ['{"a": "x\\"y', { a: 'x"y' }],
    ['{"a": [1, [2, {"b": "c"}, ', { a: [1, [2, { b: 'c' }]] }],
    ['[1, 2], 3', [1, 2]],
    ['"a', 'a'],
    ['12', 12],
    ['{"a": 1}', { a: 1 }],
    ['hello', null],
    ['{"a" 1', {}],
]) {
    test(`of ${JSON.stringify(text)} there is ${JSON.stringify(expected)}`, () => {
        assert.deepEqual(ChatMessage.assistant().withText(text).textDecodedPartially(), expected);
    });
}

for (const [grammar, texts] of [
    [new Grammar.Choice(['yes', 'no']), ['yes', 'no']],
    [new Grammar.Regex(/[ab]c/), ['ac', 'bc']],
    [new Grammar.JsonSchema({ const: 'a' }), ['"a"']],
]) {
    test(`a reply follows its grammar: ${grammar.type}`, async () => {
        const session = await loaded.session();
        const [reply] = await session.reply(
            [ChatMessage.user().withText('What temperature is it?')],
            GREEDY.withTokenLimit(20).withGrammar(grammar),
        );
        assert.ok(texts.includes(reply.message.text), reply.message.text);
        assert.equal(reply.finishReason, 'Stop');
    });
}

test('a reply is a value of a type, and readable while it is made', async () => {
    const Countries = z.array(z.object({ name: z.string(), capital: z.string() }));
    const config = GREEDY.withTokenLimit(80).withGrammar(Grammar.fromType(Countries));
    const question = [ChatMessage.user().withText('List 3 countries with their capitals')];
    const partial = [];
    let message;
    for await (const chunk of await (await loaded.session()).replyWithStream(question, config)) {
        [{ message }] = chunk.replies;
        partial.push(message.textDecodedPartially());
    }
    const countries = message.textDecoded(Countries);
    assert.ok(countries.every(({ name, capital }) => typeof name === 'string' && typeof capital === 'string'));
    assert.deepEqual(partial.at(-1), countries);
});

test('a grammar that cannot be kept is refused', async () => {
    const grammar = new Grammar.Regex('(a)\\1');
    const session = await loaded.session();
    const question = [ChatMessage.user().withText('Hi')];
    await assert.rejects(session.reply(question, GREEDY.withGrammar(grammar)), uzu.GrammarUnsupported);
});

const question = [ChatMessage.user().withText('What is 2 plus 3?')];
const calling = (name) =>
    GREEDY.withTokenLimit(128).withToolChoice(new ToolChoiceNamed(name)).withParallelToolCalls(false);

test('the model calls a tool, and its result is told', async () => {
    const session = await loaded.session();
    assert.equal(await session.supportsToolCalls, true);
    const storage = new AsyncLocalStorage();
    const seen = [];
    const tool = uzuToolFunction({
        name: 'add',
        description: 'Add two numbers',
        parameters: add.parameters,
        returns: z.object({ sum: z.number() }),
        handler: (parameters) => {
            seen.push([storage.getStore(), typeof parameters.left, typeof parameters.right]);
            return { sum: parameters.left + parameters.right };
        },
    });
    await session.addTools([tool]);
    const chunks = await storage.run('here', async () =>
        collect(await session.replyWithStream(question, calling('add').withToolTurnLimit(1))),
    );
    assert.deepEqual(seen[0], ['here', 'number', 'number']);
    const answered = chunks.find((chunk) => chunk instanceof ChatSessionStreamChunkToolResults);
    assert.equal(answered.results[0].name, 'add');
    assert.equal(typeof answered.results[0].value.sum, 'number');
    assert.ok(chunks.some((chunk) => chunk.replies?.[0].finishReason === 'ToolCalls'));
});

test('what a tool throws is told to the model', async () => {
    const session = await loaded.session();
    const options = { name: 'fail', parameters: z.object({}), returns: z.null() };
    await session.addTool(
        uzuToolFunction({
            ...options,
            handler: () => {
                throw new RangeError('nothing there');
            },
        }),
    );
    const chunks = await collect(await session.replyWithStream(question, calling('fail').withToolTurnLimit(1)));
    const answered = chunks.find((chunk) => chunk instanceof ChatSessionStreamChunkToolResults);
    assert.deepEqual(answered.results[0].value, { error: 'RangeError: nothing there' });
});

test('cancelling a reply aborts the tools that run', async () => {
    const session = await loaded.session();
    let stream;
    const aborted = new Promise((resolve) => {
        const wait = uzuToolFunction({
            name: 'wait',
            parameters: z.object({}),
            handler: (_, { signal }) =>
                new Promise(() => {
                    signal.onabort = () => resolve('aborted');
                    stream.cancelToken.cancel();
                }),
        });
        session.addTool(wait).then(async () => {
            stream = await session.replyWithStream(question, calling('wait'));
            await collect(stream);
        });
    });
    assert.equal(await aborted, 'aborted');
});

test('the conversation can be replaced', async () => {
    const session = await loaded.session();
    const messages = [ChatMessage.user().withText('Hi'), ChatMessage.assistant().withText('Hello')];
    await session.setMessages(messages);
    assert.deepEqual(await session.messages, messages);
});

async function collect(stream) {
    const chunks = [];
    for await (const chunk of stream) {
        chunks.push(chunk);
    }
    return chunks;
}
