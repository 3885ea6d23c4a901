import { ChatConfig } from './chat-config.js';
import { checked, checkedText } from './checks.js';
import { DownloadState, type StateJson } from './downloads.js';
import { EngineConfig } from './engine-config.js';
import { InvalidArgument } from './errors.js';
import { type EngineEvent, type EngineInfo, type InfoJson, infoOf } from './events.js';
import {
    type CapabilitiesJson,
    Model,
    type ModelCapabilities,
    type ModelFamily,
    type ModelJson,
    type ModelRegistry,
    type ModelVendor,
    capabilitiesOf,
} from './models.js';
import type { Completion } from './replies.js';
import { ChatReplyConfig } from './reply-config.js';
import { Owned, type Runtime, runtime, unlessAborted } from './runtime.js';
import { ChatInstance, ChatSession } from './session.js';
import { type CallOptions, CompletionStream, DownloaderStream, EngineEvents, opened } from './streams.js';

/** The download of one model. */
export class Downloader {
    readonly #engine: Engine;
    readonly #model: Model;

    /** @internal */
    constructor(engine: Engine, model: Model) {
        this.#engine = engine;
        this.#model = model;
    }

    async state(): Promise<DownloadState | null> {
        return this.#engine.downloadState(this.#model);
    }

    /** Starts or goes on; after an error, starts again. */
    async resume(): Promise<void> {
        await this.#engine.run('download_resume', this.#model);
    }

    /** Stops, keeping what was fetched. An error when nothing is being downloaded. */
    async pause(): Promise<void> {
        await this.#engine.run('download_pause', this.#model);
    }

    /** Removes the model's files. */
    async delete(): Promise<void> {
        await this.#engine.run('download_delete', this.#model);
    }

    /** Updates until the download ends, pauses or fails; empty when none runs. */
    async progress(options: CallOptions = {}): Promise<DownloaderStream> {
        return this.#engine.updates('download_watch', this.#model, options);
    }
}

/** An engine. Creating one opens no connection and loads nothing. */
export class Engine {
    readonly #owned: Owned;

    private constructor(owned: Owned) {
        this.#owned = owned;
    }

    /** Starts the runtime that engines live in, when it is the first of the process. */
    static async create(config: EngineConfig = EngineConfig.create()): Promise<Engine> {
        const text = checked(config, EngineConfig, 'config').text();
        const here = runtime();
        return new Engine(new Owned(here, await here.transport.number('engine_create', null, text), null));
    }

    /** The model for an identifier, a shorthand (`smollm2`), a repository id or a local path; null: there is none. */
    async model(identifier: string): Promise<Model | null> {
        const found = await this.#json<ModelJson | null>('engine_model', checkedText(identifier, 'identifier'));
        return found === null ? null : new Model(found);
    }

    get models(): Promise<Model[]> {
        return this.#models({});
    }

    get modelsLocal(): Promise<Model[]> {
        return this.#models({ kind: 'local' });
    }

    get modelsRemote(): Promise<Model[]> {
        return this.#models({ kind: 'remote' });
    }

    get modelsDownloadable(): Promise<Model[]> {
        return this.#models({ kind: 'downloadable' });
    }

    get modelsForChat(): Promise<Model[]> {
        return this.#models({ kind: 'chat' });
    }

    async modelsByVendor(vendor: string | ModelVendor): Promise<Model[]> {
        return this.#models({ vendor: typeof vendor === 'string' ? vendor : vendor.identifier });
    }

    async modelsByFamily(family: string | ModelFamily): Promise<Model[]> {
        return this.#models({ family: typeof family === 'string' ? family : family.identifier });
    }

    get modelVendors(): Promise<ModelVendor[]> {
        return this.#json('engine_vendors');
    }

    get modelFamilies(): Promise<ModelFamily[]> {
        return this.#json('engine_families');
    }

    get modelRegistries(): Promise<ModelRegistry[]> {
        return this.#json('engine_registries');
    }

    /** The file or folder that the model is loaded from; null when it isn't on this machine. */
    async modelPath(model: Model): Promise<string | null> {
        return this.#json('engine_model_path', identifierOf(model));
    }

    /** What a model on this machine can do. */
    async capabilities(model: Model): Promise<ModelCapabilities> {
        return capabilitiesOf(await this.#json<CapabilitiesJson>('engine_capabilities', identifierOf(model)));
    }

    async countTokens(model: Model, text: string): Promise<number> {
        return this.#number('engine_count_tokens', identifierOf(model), checkedText(text, 'text'));
    }

    /** What this engine computes with, and the memory that it holds now. */
    get info(): Promise<EngineInfo> {
        return this.#json<InfoJson>('engine_info').then(infoOf);
    }

    /** What happens in the engine from now on. */
    async events(options: CallOptions = {}): Promise<EngineEvents> {
        const { signal } = options;
        signal?.throwIfAborted();
        const making = unlessAborted(this.#runtime, this.#number('engine_events'), signal);
        // Not of this engine: who listens doesn't keep it.
        return new EngineEvents(await opened(this.#runtime, making, {}, signal));
    }

    /**
     * Calls back for each event from now on, one after another, until what is returned, or the engine, is closed. A process
     * that has nothing else to do ends all the same.
     */
    async registerCallback(callback: (event: EngineEvent) => unknown): Promise<EngineEvents> {
        if (typeof callback !== 'function') {
            throw new InvalidArgument('callback must be a function', { field: 'callback' });
        }
        const events = await this.events();
        void events.callBack(callback);
        return events;
    }

    /** Starts fetching the model, or joins the download that runs; finished at once when nothing is to do. */
    async download(model: Model, options: CallOptions = {}): Promise<DownloaderStream> {
        return this.updates('download_start', model, options);
    }

    downloader(model: Model): Downloader {
        return new Downloader(this, checked(model, Model, 'model'));
    }

    async downloadState(model: Model): Promise<DownloadState | null> {
        const state = await this.#json<StateJson | null>('download_state', identifierOf(model));
        return state === null ? null : new DownloadState(state);
    }

    /** States of all downloadable models, by identifier. */
    get downloadStates(): Promise<Map<string, DownloadState>> {
        return this.#json<Record<string, StateJson>>('download_states').then(
            (states) =>
                new Map(Object.entries(states).map(([identifier, state]) => [identifier, new DownloadState(state)])),
        );
    }

    /** A new conversation; waits while the model loads. */
    async chat(
        model: Model,
        config: ChatConfig = ChatConfig.create(),
        options: CallOptions = {},
    ): Promise<ChatSession> {
        return new ChatSession(this.#runtime, await this.#load('engine_chat', model, config, options), this);
    }

    /** Loads the weights once, for any number of sessions. */
    async chatInstance(
        model: Model,
        config: ChatConfig = ChatConfig.create(),
        options: CallOptions = {},
    ): Promise<ChatInstance> {
        return new ChatInstance(this.#runtime, await this.#load('engine_instance', model, config, options), this);
    }

    /** A new conversation on loaded weights; sessions of one instance run at the same time. */
    async chatWithInstance(instance: ChatInstance): Promise<ChatSession> {
        const { handle } = checked(instance, ChatInstance, 'instance').owned;
        const session = await this.#runtime.transport.number('instance_chat', handle);
        return new ChatSession(this.#runtime, session, instance);
    }

    /** Continues a text as it stands, without a chat template. */
    async complete(
        model: Model,
        text: string,
        config: ChatReplyConfig = ChatReplyConfig.create(),
        options: CallOptions = {},
    ): Promise<Completion> {
        const stream = await this.completeWithStream(model, text, config, options);
        try {
            let last = await stream.next();
            for (let next = last; next !== null; next = await stream.next()) {
                last = next;
            }
            return last as Completion;
        } finally {
            await stream.close();
        }
    }

    async completeWithStream(
        model: Model,
        text: string,
        config: ChatReplyConfig = ChatReplyConfig.create(),
        options: CallOptions = {},
    ): Promise<CompletionStream> {
        const settings = checked(config, ChatReplyConfig, 'config').text();
        const { signal } = options;
        signal?.throwIfAborted();
        const making = this.#number('engine_complete', identifierOf(model), checkedText(text, 'text'), settings);
        return new CompletionStream(
            await opened(this.#runtime, unlessAborted(this.#runtime, making, signal), this, signal),
        );
    }

    /** Ends running replies and frees everything. Nothing happens the second time. */
    async close(): Promise<void> {
        await this.#owned.close();
    }

    async [Symbol.asyncDispose](): Promise<void> {
        await this.close();
    }

    /** @internal */
    async run(name: string, model: Model): Promise<void> {
        await this.#runtime.transport.run(name, this.#owned.handle, identifierOf(model));
    }

    /** @internal */
    async updates(name: string, model: Model, options: CallOptions): Promise<DownloaderStream> {
        const { signal } = options;
        signal?.throwIfAborted();
        const making = this.#number(name, identifierOf(model));
        return new DownloaderStream(
            await opened(this.#runtime, unlessAborted(this.#runtime, making, signal), this, signal),
        );
    }

    get #runtime(): Runtime {
        return this.#owned.runtime;
    }

    async #load(name: string, model: Model, config: ChatConfig, options: CallOptions): Promise<number> {
        const settings = checked(config, ChatConfig, 'config').text();
        options.signal?.throwIfAborted();
        return unlessAborted(this.#runtime, this.#number(name, identifierOf(model), settings), options.signal);
    }

    async #models(query: Readonly<Record<string, string>>): Promise<Model[]> {
        const models = await this.#json<ModelJson[]>('engine_models', JSON.stringify(query));
        return models.map((json) => new Model(json));
    }

    async #json<T>(name: string, ...texts: string[]): Promise<T> {
        return JSON.parse(await this.#runtime.transport.text(name, this.#owned.handle, ...texts)) as T;
    }

    async #number(name: string, ...texts: string[]): Promise<number> {
        return this.#runtime.transport.number(name, this.#owned.handle, ...texts);
    }
}

function identifierOf(model: Model): string {
    return checked(model, Model, 'model').identifier;
}
