import { checkedFlag, checkedNumber, checkedText } from './checks.js';
import { Backend, Precision, toWire } from './enums.js';
import { InvalidArgument } from './errors.js';

/** An engine's settings; what is left out has its default. */
export interface EngineOptions {
    readonly openaiApiKey?: string | null;
    readonly anthropicApiKey?: string | null;
    readonly geminiApiKey?: string | null;
    readonly xaiApiKey?: string | null;
    readonly basetenApiKey?: string | null;
    readonly openrouterApiKey?: string | null;
    readonly huggingfaceApiKey?: string | null;
    readonly miraiApiKey?: string | null;
    /** A folder of one's own models. */
    readonly localPath?: string | null;
    readonly lalamoPath?: string | null;
    readonly allowOllamaUsage?: boolean;
    readonly allowLmstudioUsage?: boolean;
    /** Where downloaded models lie; null: UZU_CACHE, else ~/.cache/uzu. */
    readonly cachePath?: string | null;
    readonly precision?: Precision;
    readonly backend?: Backend;
    /** Worker threads of a pass; 0: the physical cores that this process may use. */
    readonly threads?: number;
    /** Whether nothing may be fetched. */
    readonly offline?: boolean;
}

/**
 * How an engine runs. `create` reads the environment; what is given wins. Immutable: the `with` methods return a copy.
 * Keys are for cloud models, which this version doesn't know yet; they don't show when a configuration is printed.
 */
export class EngineConfig {
    readonly openaiApiKey!: string | null;
    readonly anthropicApiKey!: string | null;
    readonly geminiApiKey!: string | null;
    readonly xaiApiKey!: string | null;
    readonly basetenApiKey!: string | null;
    readonly openrouterApiKey!: string | null;
    readonly huggingfaceApiKey!: string | null;
    readonly miraiApiKey!: string | null;
    readonly localPath: string | null;
    readonly lalamoPath: string | null;
    readonly allowOllamaUsage: boolean;
    readonly allowLmstudioUsage: boolean;
    readonly cachePath: string | null;
    readonly precision: Precision;
    readonly backend: Backend;
    readonly threads: number;
    readonly offline: boolean;

    constructor(options: EngineOptions = {}) {
        for (const key of KEYS) {
            Object.defineProperty(this, key, { value: options[key] ?? null, enumerable: false });
        }
        this.localPath = options.localPath ?? null;
        this.lalamoPath = options.lalamoPath ?? null;
        this.allowOllamaUsage = options.allowOllamaUsage ?? true;
        this.allowLmstudioUsage = options.allowLmstudioUsage ?? true;
        this.cachePath = options.cachePath ?? null;
        this.precision = options.precision ?? Precision.Fast;
        this.backend = options.backend ?? Backend.Auto;
        this.threads = options.threads ?? 0;
        this.offline = options.offline ?? false;
    }

    static create(): EngineConfig {
        const read = (name: string) => globalThis.process?.env[name] || null;
        return new EngineConfig({
            openaiApiKey: read('OPENAI_API_KEY'),
            anthropicApiKey: read('ANTHROPIC_API_KEY'),
            geminiApiKey: read('GEMINI_API_KEY'),
            xaiApiKey: read('XAI_API_KEY'),
            basetenApiKey: read('BASETEN_API_KEY'),
            openrouterApiKey: read('OPENROUTER_API_KEY'),
            huggingfaceApiKey: read('HF_TOKEN'),
            miraiApiKey: read('MIRAI_API_KEY'),
            localPath: read('LOCAL_PATH'),
            lalamoPath: read('LALAMO_PATH'),
            cachePath: read('UZU_CACHE'),
            backend: backendNamed(read('UZU_BACKEND') ?? 'auto'),
        });
    }

    withOpenaiApiKey(openaiApiKey: string | null): EngineConfig {
        return this.#with({ openaiApiKey });
    }

    withAnthropicApiKey(anthropicApiKey: string | null): EngineConfig {
        return this.#with({ anthropicApiKey });
    }

    withGeminiApiKey(geminiApiKey: string | null): EngineConfig {
        return this.#with({ geminiApiKey });
    }

    withXaiApiKey(xaiApiKey: string | null): EngineConfig {
        return this.#with({ xaiApiKey });
    }

    withBasetenApiKey(basetenApiKey: string | null): EngineConfig {
        return this.#with({ basetenApiKey });
    }

    withOpenrouterApiKey(openrouterApiKey: string | null): EngineConfig {
        return this.#with({ openrouterApiKey });
    }

    withHuggingfaceApiKey(huggingfaceApiKey: string | null): EngineConfig {
        return this.#with({ huggingfaceApiKey });
    }

    withMiraiApiKey(miraiApiKey: string | null): EngineConfig {
        return this.#with({ miraiApiKey });
    }

    withLocalPath(localPath: string | null): EngineConfig {
        return this.#with({ localPath });
    }

    withLalamoPath(lalamoPath: string | null): EngineConfig {
        return this.#with({ lalamoPath });
    }

    withAllowOllamaUsage(allowOllamaUsage: boolean): EngineConfig {
        return this.#with({ allowOllamaUsage });
    }

    withAllowLmstudioUsage(allowLmstudioUsage: boolean): EngineConfig {
        return this.#with({ allowLmstudioUsage });
    }

    withCachePath(cachePath: string | null): EngineConfig {
        return this.#with({ cachePath });
    }

    withPrecision(precision: Precision): EngineConfig {
        return this.#with({ precision });
    }

    withBackend(backend: Backend): EngineConfig {
        return this.#with({ backend });
    }

    withThreads(threads: number): EngineConfig {
        return this.#with({ threads });
    }

    withOffline(offline: boolean): EngineConfig {
        return this.#with({ offline });
    }

    #with(changes: EngineOptions): EngineConfig {
        const keys = Object.fromEntries(KEYS.map((key) => [key, this[key]]));
        return new EngineConfig({ ...this, ...keys, ...changes });
    }

    /** @internal */
    text(): string {
        return JSON.stringify({
            local_path: this.localPath === null ? null : checkedText(this.localPath, 'localPath'),
            cache_path: this.cachePath === null ? null : checkedText(this.cachePath, 'cachePath'),
            precision: toWire(Precision, this.precision, 'precision'),
            backend: toWire(Backend, this.backend, 'backend'),
            threads: checkedNumber(this.threads, 'threads'),
            offline: checkedFlag(this.offline, 'offline'),
        });
    }
}

const KEYS = [
    'openaiApiKey',
    'anthropicApiKey',
    'geminiApiKey',
    'xaiApiKey',
    'basetenApiKey',
    'openrouterApiKey',
    'huggingfaceApiKey',
    'miraiApiKey',
] as const;

function backendNamed(name: string): Backend {
    const found = Object.values(Backend).find((backend) => backend.toLowerCase() === name.toLowerCase());
    if (found === undefined) {
        throw new InvalidArgument(`UZU_BACKEND is auto, cpu or metal, not ${name}`, { variable: 'UZU_BACKEND' });
    }
    return found;
}
