export class DownloadPhaseNotDownloaded {
    readonly type = 'NotDownloaded';
}

export class DownloadPhaseDownloading {
    readonly type = 'Downloading';
}

export class DownloadPhasePaused {
    readonly type = 'Paused';
}

export class DownloadPhaseDownloaded {
    readonly type = 'Downloaded';
}

/** Another process is downloading the model. */
export class DownloadPhaseLocked {
    readonly type = 'Locked';
}

export class DownloadPhaseError {
    readonly type = 'Error';

    constructor(readonly message: string) {}
}

/** The phases of a download. */
export type DownloadPhase =
    | DownloadPhaseNotDownloaded
    | DownloadPhaseDownloading
    | DownloadPhasePaused
    | DownloadPhaseDownloaded
    | DownloadPhaseLocked
    | DownloadPhaseError;
export const DownloadPhase = {
    NotDownloaded: DownloadPhaseNotDownloaded,
    Downloading: DownloadPhaseDownloading,
    Paused: DownloadPhasePaused,
    Downloaded: DownloadPhaseDownloaded,
    Locked: DownloadPhaseLocked,
    Error: DownloadPhaseError,
} as const;

/** Where the download of a model stands. */
export class DownloadState {
    readonly totalBytes: number;
    readonly downloadedBytes: number;
    readonly phase: DownloadPhase;
    /** From 0 to 1. */
    readonly progress: number;

    /** @internal */
    constructor(json: StateJson) {
        this.totalBytes = json.bytes_total;
        this.downloadedBytes = json.bytes_downloaded;
        this.phase = phaseOf(json);
        this.progress = json.progress;
    }

    /** The phase as people read it. */
    get name(): string {
        return this.canDelete ? this.phase.type : 'Not Downloaded';
    }

    get isInProgress(): boolean {
        return this.phase.type === 'Downloading';
    }

    get canPause(): boolean {
        return this.isInProgress;
    }

    get canDelete(): boolean {
        return this.phase.type !== 'NotDownloaded';
    }
}

/** How far a download is. */
export interface DownloaderStreamUpdate {
    readonly bytesTotal: number;
    readonly bytesDownloaded: number;
    /** From 0 to 1. */
    readonly progress: number;
}

/** @internal */
export interface UpdateJson {
    readonly bytes_total: number;
    readonly bytes_downloaded: number;
    readonly progress: number;
}

/** @internal */
export interface StateJson extends UpdateJson {
    readonly phase: string;
    readonly message: string | null;
}

/** @internal */
export function updateOf(json: UpdateJson): DownloaderStreamUpdate {
    return { bytesTotal: json.bytes_total, bytesDownloaded: json.bytes_downloaded, progress: json.progress };
}

function phaseOf(json: StateJson): DownloadPhase {
    switch (json.phase) {
        case 'not_downloaded':
            return new DownloadPhaseNotDownloaded();
        case 'downloading':
            return new DownloadPhaseDownloading();
        case 'paused':
            return new DownloadPhasePaused();
        case 'downloaded':
            return new DownloadPhaseDownloaded();
        case 'locked':
            return new DownloadPhaseLocked();
        case 'error':
            return new DownloadPhaseError(json.message ?? '');
        default:
            throw new TypeError(`the engine says ${json.phase}, which is no phase of a download`);
    }
}
