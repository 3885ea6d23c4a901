import { ModelAccessibility, ModelSpecialization, ToolSupport, ofWire } from './enums.js';

/** Who made a family of models. */
export interface ModelVendor {
    readonly identifier: string;
    readonly name: string;
}

/** Models of one name in several sizes. */
export interface ModelFamily {
    readonly identifier: string;
    readonly name: string;
    readonly vendor: ModelVendor;
}

/** Where a model is known from. */
export interface ModelRegistry {
    readonly identifier: string;
    readonly name: string;
}

export interface ModelProperties {
    readonly size: string;
    readonly version: string | null;
}

/** How the weights were rounded. */
export interface ModelQuantization {
    readonly method: string;
    readonly bitsPerWeight: number;
}

/** What a model on this machine can do. */
export interface ModelCapabilities {
    /** Whether it has a chat template. */
    readonly chat: boolean;
    /** Whether its template knows a reasoning mode. */
    readonly reasoning: boolean;
    readonly tools: ToolSupport;
    /** Most tokens of a conversation. */
    readonly contextLength: number;
}

/** A model that the engine knows. A model given by path has its absolute path as identifier. */
export class Model {
    readonly identifier: string;
    readonly name: string;
    readonly registry: ModelRegistry;
    readonly backends: readonly string[];
    readonly family: ModelFamily | null;
    readonly properties: ModelProperties | null;
    readonly quantization: ModelQuantization | null;
    readonly specializations: readonly ModelSpecialization[];
    readonly accessibility: ModelAccessibility;
    readonly isDownloadable: boolean;

    /** @internal */
    constructor(json: ModelJson) {
        this.identifier = json.identifier;
        this.name = json.name;
        this.registry = json.registry;
        this.backends = json.backends;
        this.family = json.family;
        this.properties =
            json.properties === null ? null : { size: json.properties.size, version: json.properties.version ?? null };
        this.quantization =
            json.quantization === null
                ? null
                : { method: json.quantization.method, bitsPerWeight: json.quantization.bits_per_weight };
        this.specializations = json.specializations.map((name) => ofWire(ModelSpecialization, name));
        this.accessibility = ofWire(ModelAccessibility, json.accessibility);
        this.isDownloadable = json.is_downloadable;
    }

    get isLocal(): boolean {
        return this.accessibility === ModelAccessibility.Local;
    }

    get isRemote(): boolean {
        return this.accessibility === ModelAccessibility.Remote;
    }

    get isChatCapable(): boolean {
        return this.specializations.includes(ModelSpecialization.Chat);
    }

    get isQuantized(): boolean {
        return this.quantization !== null;
    }
}

/** @internal A model as the engine writes it. */
export interface ModelJson {
    readonly identifier: string;
    readonly name: string;
    readonly registry: ModelRegistry;
    readonly backends: readonly string[];
    readonly family: ModelFamily | null;
    readonly properties: { readonly size: string; readonly version?: string | null } | null;
    readonly quantization: { readonly method: string; readonly bits_per_weight: number } | null;
    readonly specializations: readonly string[];
    readonly accessibility: string;
    readonly is_downloadable: boolean;
}

/** @internal */
export interface CapabilitiesJson {
    readonly chat: boolean;
    readonly reasoning: boolean;
    readonly tools: string | boolean;
    readonly context_length: number;
}

/** @internal */
export function capabilitiesOf(json: CapabilitiesJson): ModelCapabilities {
    return {
        chat: json.chat,
        reasoning: json.reasoning,
        tools: ofWire(ToolSupport, String(json.tools)),
        contextLength: json.context_length,
    };
}
