/** Engines, models, downloads, and their errors. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';

import * as uzu from 'uzu';
import {
    ChatConfig,
    ChatMessage,
    ChatReplyConfig,
    DownloadPhaseDownloaded,
    Engine,
    EngineConfig,
    EngineEvent,
    SamplingMethodStochastic,
} from 'uzu';
import { GREEDY, MODEL, load, pause } from './loaded.mjs';

let loaded;
before(async () => (loaded = await load()));
after(() => loaded.engine.close());

test('a model is found by its identifier', async () => {
    const model = await loaded.engine.model(MODEL);
    assert.ok(model.isLocal && !model.isRemote && model.isChatCapable);
    assert.equal(model.accessibility, 'Local');
    assert.ok((await loaded.engine.models).some((each) => each.identifier === model.identifier));
    assert.equal(await loaded.engine.model('nobody:nothing:1b'), null);
});

test('lists of models agree', async () => {
    const { engine } = loaded;
    const identifiers = new Set((await engine.models).map((model) => model.identifier));
    assert.ok((await engine.modelsLocal).every((model) => identifiers.has(model.identifier)));
    const [family] = await engine.modelFamilies;
    const byFamily = await engine.modelsByFamily(family);
    assert.ok(byFamily.length > 0 && byFamily.every((model) => model.family.identifier === family.identifier));
    const [vendor] = await engine.modelVendors;
    assert.ok(
        (await engine.modelsByVendor(vendor.identifier)).every((model) => model.family.vendor.name === vendor.name),
    );
    assert.ok((await engine.modelRegistries).length > 0);
    assert.deepEqual(await engine.modelsRemote, []);
    assert.ok((await engine.modelsForChat).length > 0 && (await engine.modelsDownloadable).length > 0);
});

test('a downloaded model needs no download', async () => {
    const { engine, model } = loaded;
    for await (const update of (await engine.download(model)).iterator()) {
        assert.ok(update.progress >= 0 && update.progress <= 1);
    }
    assert.ok(await engine.modelPath(model));
    const state = await engine.downloader(model).state();
    assert.ok(state.phase instanceof DownloadPhaseDownloaded && state.canDelete && !state.canPause);
    assert.deepEqual([state.progress, state.name], [1, 'Downloaded']);
    assert.ok((await engine.downloadStates).has(model.identifier));
    assert.equal(await (await engine.downloader(model).progress()).next(), null);
});

test('capabilities and token counts', async () => {
    const { engine, model, instance } = loaded;
    const capabilities = await engine.capabilities(model);
    assert.ok(capabilities.chat && capabilities.contextLength > 0);
    assert.ok(Object.values(uzu.ToolSupport).includes(capabilities.tools));
    assert.ok((await engine.countTokens(model, 'one two three')) >= 3);
    assert.ok((await instance.memoryUsedBytes) > 0);
});

test('a text is continued', async () => {
    const completion = await loaded.engine.complete(loaded.model, 'One, two, three,', GREEDY.withTokenLimit(3));
    assert.ok(completion.text);
    assert.ok(completion.finishReason);
    assert.equal(typeof completion.stats.seed, 'bigint');
});

test('an error has its class, its code and a stack that leads to the caller', async () => {
    async function here() {
        const gone = Object.assign(Object.create(uzu.Model.prototype), { ...loaded.model, identifier: 'nobody:x' });
        await loaded.engine.chat(gone);
    }
    await assert.rejects(here(), (error) => {
        assert.ok(error instanceof uzu.ModelNotFound);
        assert.equal(error.code, 'model_not_found');
        assert.match(error.message, /nobody:x/);
        assert.match(error.stack, /at async here /);
        return true;
    });
});

test('impossible sampling is refused by name', async () => {
    const session = await loaded.session();
    const config = ChatReplyConfig.create().withSamplingMethod(new SamplingMethodStochastic({ topP: 2 }));
    const reply = session.reply([ChatMessage.user().withText('Hi')], config);
    await assert.rejects(reply, (error) => error.code === 'invalid_argument' && error.details.field === 'top_p');
});

test('an impossible configuration is refused by name', async () => {
    await assert.rejects(Engine.create(new EngineConfig({ threads: -1 })), /threads/);
});

test('what is no model, no configuration or no text is refused', async () => {
    const { engine, model } = loaded;
    await assert.rejects(engine.chat('smollm2'), /model must be a Model, not smollm2/);
    await assert.rejects(engine.chat(model, {}), /config must be a ChatConfig/);
    await assert.rejects(engine.model('half a character \ud83d'), uzu.InvalidArgument);
    await assert.rejects(engine.countTokens(model, 5), uzu.InvalidArgument);
});

test('a closed engine says so', async () => {
    const engine = await Engine.create(new EngineConfig({ offline: true, threads: 1 }));
    assert.ok(Array.isArray(await engine.models));
    await engine[Symbol.asyncDispose]();
    await engine.close();
    await assert.rejects(engine.models, uzu.Closed);
});

test('an aborted signal ends the wait for a model', async () => {
    const reason = new Error('enough');
    await assert.rejects(loaded.engine.chat(loaded.model, undefined, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const loading = loaded.engine.chat(loaded.model, undefined, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(loading, reason);
});

test('events tell of models that come and go', async () => {
    const engine = await Engine.create();
    assert.equal((await engine.info).weightBytes, 0);
    const heard = [];
    const events = await engine.events();
    await engine.registerCallback((event) => heard.push(event.type));
    const session = await engine.chat(await engine.model(MODEL));
    const event = await events.next();
    assert.ok(event instanceof EngineEvent.ModelLoaded && event.weightBytes > 0 && existsSync(event.path));
    const info = await engine.info;
    assert.ok(info.weightBytes === event.weightBytes && info.threads > 0 && info.matrixKernels);
    await session.close();
    assert.equal((await events.next()).type, 'ModelUnloaded');
    await pause(100);
    await engine.close();
    assert.equal(await events.next(), null);
    assert.deepEqual(heard, ['ModelLoaded', 'ModelUnloaded']);
    await assert.rejects(loaded.engine.registerCallback(5), { code: 'invalid_argument' });
});

test('an unknown message format is refused by name', async () => {
    const config = ChatConfig.create().withMessageFormat('smoke signals');
    await assert.rejects(loaded.engine.chat(loaded.model, config), /smoke signals/);
});
