import { DownloadState, type StateJson } from './downloads.js';

/** A download began, moved on, stopped or failed, or the model was deleted. */
export class EngineEventDownload {
    readonly type = 'Download';

    constructor(
        readonly model: string,
        readonly state: DownloadState,
    ) {}
}

/** The model's weights came into memory, from the file or folder `path`. */
export class EngineEventModelLoaded {
    readonly type = 'ModelLoaded';

    constructor(
        readonly model: string,
        readonly path: string,
        readonly weightBytes: number,
    ) {}
}

/** The model's weights left memory: nothing uses them any more, or the engine was closed. */
export class EngineEventModelUnloaded {
    readonly type = 'ModelUnloaded';

    constructor(readonly model: string) {}
}

/** What happens in an engine, whoever caused it. `model` is an identifier. */
export type EngineEvent = EngineEventDownload | EngineEventModelLoaded | EngineEventModelUnloaded;
export const EngineEvent = {
    Download: EngineEventDownload,
    ModelLoaded: EngineEventModelLoaded,
    ModelUnloaded: EngineEventModelUnloaded,
} as const;

/** What an engine computes with, and the memory that it holds now. */
export interface EngineInfo {
    /** The instruction set that multiplies matrices: avx2, neon, …, or vector or scalar where Java does. */
    readonly matrixKernels: string;
    /** The same for norms, activations and attention. */
    readonly rowKernels: string;
    /** The file of the kernels in C; null where none was found. */
    readonly kernelLibrary: string | null;
    /** Workers of a pass. */
    readonly threads: number;
    /** Of all models in memory. */
    readonly weightBytes: number;
    /** Their keys, values and scratch. */
    readonly workingBytes: number;
}

/** @internal An event as the engine writes it; which fields there are depends on the type. */
export interface EventJson {
    readonly type: string;
    readonly model: string;
    readonly state: StateJson;
    readonly path: string;
    readonly weight_bytes: number;
}

/** @internal */
export interface InfoJson {
    readonly matrix_kernels: string;
    readonly row_kernels: string;
    readonly kernel_library: string | null;
    readonly threads: number;
    readonly weight_bytes: number;
    readonly working_bytes: number;
}

/** @internal */
export function eventOf(json: EventJson): EngineEvent {
    switch (json.type) {
        case 'download':
            return new EngineEventDownload(json.model, new DownloadState(json.state));
        case 'model_loaded':
            return new EngineEventModelLoaded(json.model, json.path, json.weight_bytes);
        case 'model_unloaded':
            return new EngineEventModelUnloaded(json.model);
        default:
            throw new TypeError(`the engine says ${json.type}, which is no event`);
    }
}

/** @internal */
export function infoOf(json: InfoJson): EngineInfo {
    return {
        matrixKernels: json.matrix_kernels,
        rowKernels: json.row_kernels,
        kernelLibrary: json.kernel_library,
        threads: json.threads,
        weightBytes: json.weight_bytes,
        workingBytes: json.working_bytes,
    };
}
