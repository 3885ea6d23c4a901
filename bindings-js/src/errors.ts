/** The path, field, keyword or tensor at fault, by name. */
export type ErrorDetails = Readonly<Record<string, string>>;

/** What went wrong: a code, a message to act on, and what is at fault in `details`. One subclass for each code. */
export class UzuError extends Error {
    static readonly code: string = 'internal';

    readonly code: string;
    readonly details: ErrorDetails;

    constructor(message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
        super(message, options);
        this.code = new.target.code;
        this.details = { ...details };
    }

    static {
        // On the prototype, as with the errors of the language; a field would show twice when an error is printed.
        Object.defineProperty(this.prototype, 'name', {
            get(this: UzuError) {
                return this.constructor.name;
            },
        });
    }
}

export class InvalidArgument extends UzuError {
    static override readonly code = 'invalid_argument';
}

export class InvalidState extends UzuError {
    static override readonly code = 'invalid_state';
}

export class ModelNotFound extends UzuError {
    static override readonly code = 'model_not_found';
}

export class ModelUnsupported extends UzuError {
    static override readonly code = 'model_unsupported';
}

export class ModelCorrupt extends UzuError {
    static override readonly code = 'model_corrupt';
}

export class TensorMissing extends UzuError {
    static override readonly code = 'tensor_missing';
}

export class DownloadFailed extends UzuError {
    static override readonly code = 'download_failed';
}

export class DiskFull extends UzuError {
    static override readonly code = 'disk_full';
}

export class Offline extends UzuError {
    static override readonly code = 'offline';
}

export class OutOfMemory extends UzuError {
    static override readonly code = 'out_of_memory';
}

export class ContextOverflow extends UzuError {
    static override readonly code = 'context_overflow';
}

export class GrammarUnsupported extends UzuError {
    static override readonly code = 'grammar_unsupported';
}

export class GrammarDeadEnd extends UzuError {
    static override readonly code = 'grammar_dead_end';
}

export class TemplateFailed extends UzuError {
    static override readonly code = 'template_failed';
}

export class ToolFailed extends UzuError {
    static override readonly code = 'tool_failed';
}

export class ToolTurnLimit extends UzuError {
    static override readonly code = 'tool_turn_limit';
}

export class Cancelled extends UzuError {
    static override readonly code = 'cancelled';
}

export class ProviderFailed extends UzuError {
    static override readonly code = 'provider_failed';
}

export class Closed extends UzuError {
    static override readonly code = 'closed';
}

export class Internal extends UzuError {
    static override readonly code = 'internal';
}

const CLASSES = [
    InvalidArgument,
    InvalidState,
    ModelNotFound,
    ModelUnsupported,
    ModelCorrupt,
    TensorMissing,
    DownloadFailed,
    DiskFull,
    Offline,
    OutOfMemory,
    ContextOverflow,
    GrammarUnsupported,
    GrammarDeadEnd,
    TemplateFailed,
    ToolFailed,
    ToolTurnLimit,
    Cancelled,
    ProviderFailed,
    Closed,
    Internal,
];
const BY_CODE = new Map<string, (typeof CLASSES)[number]>(CLASSES.map((kind) => [kind.code, kind]));

/** An error as the engine describes it. */
export interface ErrorJson {
    readonly code: string;
    readonly message: string;
    readonly details?: ErrorDetails;
}

/** @internal */
export function errorOf(json: ErrorJson): UzuError {
    const kind = BY_CODE.get(json.code) ?? Internal;
    return new kind(json.message, json.details);
}
