import { checkedText } from './checks.js';
import { ToolDeclaration } from './content.js';
import { InvalidArgument } from './errors.js';
import {
    type InputOf,
    type JsonSchema,
    type OutputOf,
    type TypeSchema,
    isTypeSchema,
    jsonSchemaOf,
    parsed,
    parsedInOurWords,
} from './schemas.js';

/** What a handler gets beside its parameters. */
export interface UzuToolContext {
    /** Aborted with the reply that made the call, and by the tool's own timeout. */
    readonly signal: AbortSignal;
}

export interface UzuToolFunctionOptions<P extends TypeSchema, R extends TypeSchema> {
    readonly name: string;
    /** For the model. */
    readonly description?: string;
    /** Of an object with the arguments: `z.object({…})`. */
    readonly parameters: P;
    /** Of what the handler returns, which is checked by it; any JSON value without. */
    readonly returns?: R;
    /** Most milliseconds that a call may take. */
    readonly timeout?: number;
    readonly handler: (parameters: OutputOf<P>, context: UzuToolContext) => InputOf<R> | Promise<InputOf<R>>;
}

/** A function that a model may call, made by `uzuToolFunction`. */
export class UzuToolFunction<P extends TypeSchema = TypeSchema, R extends TypeSchema = TypeSchema> {
    readonly name: string;
    readonly description: string;
    readonly parameters: P;
    readonly returns: R | null;
    readonly parametersSchema: JsonSchema;
    readonly returnSchema: JsonSchema | null;
    readonly timeout: number | null;
    readonly handler: UzuToolFunctionOptions<P, R>['handler'];

    constructor(options: UzuToolFunctionOptions<P, R>) {
        this.name = checkedText(options.name, 'name').trim();
        if (this.name === '') {
            throw new InvalidArgument('A tool has no name', { field: 'name' });
        }
        if (typeof options.handler !== 'function') {
            throw new InvalidArgument(`The tool ${this.name} has no handler`, { field: 'handler' });
        }
        this.description = checkedText(options.description ?? '', 'description');
        this.parameters = options.parameters;
        this.returns = options.returns ?? null;
        this.parametersSchema = jsonSchemaOf(options.parameters, 'parameters');
        this.returnSchema = this.returns === null ? null : jsonSchemaOf(this.returns, 'returns');
        this.timeout = options.timeout ?? null;
        this.handler = options.handler;
    }

    /** What the model is told of it. */
    get declaration(): ToolDeclaration {
        return new ToolDeclaration(this.name, this.description, this.parametersSchema);
    }

    /** Calls it as a model would: arguments and result are checked. */
    async invoke(input: InputOf<P>, options: { readonly signal?: AbortSignal } = {}): Promise<OutputOf<R>> {
        const parameters = await parsed(this.parameters, input);
        const result = await this.#limited(parameters, options.signal ?? new AbortController().signal);
        return this.returns === null ? (result as OutputOf<R>) : parsed(this.returns, result);
    }

    /** @internal The same for a model, which is to understand what is wrong with its arguments. */
    async answer(input: unknown, signal: AbortSignal): Promise<unknown> {
        const result = await this.#limited(await parsedInOurWords(this.parameters, input), signal);
        return this.returns === null ? result : parsedInOurWords(this.returns, result);
    }

    async #limited(parameters: OutputOf<P>, signal: AbortSignal): Promise<unknown> {
        const { timeout } = this;
        if (timeout === null) {
            return this.handler(parameters, { signal });
        }
        const limit = AbortSignal.timeout(timeout);
        const late = new Promise<never>((_, reject) => {
            limit.onabort = () => reject(new Error(`The call took longer than ${timeout} ms`));
        });
        return Promise.race([this.handler(parameters, { signal: AbortSignal.any([signal, limit]) }), late]);
    }
}

/** Any tool, whatever its types. */
export type AnyTool = UzuToolFunction<any, any>;

/** A tool without types: `parameters` is the JSON schema of an object, to which the engine holds the arguments. */
export function uzuToolFunction(
    options: Omit<UzuToolFunctionOptions<Untyped, TypeSchema>, 'parameters'> & { readonly parameters: JsonSchema },
): UzuToolFunction<Untyped>;
/** A tool from its types and its handler. What the handler throws is told to the model. */
export function uzuToolFunction<P extends TypeSchema, R extends TypeSchema = TypeSchema>(
    options: UzuToolFunctionOptions<P, R>,
): UzuToolFunction<P, R>;
export function uzuToolFunction(options: UzuToolFunctionOptions<any, any>): AnyTool {
    const parameters = options.parameters as TypeSchema | JsonSchema;
    return new UzuToolFunction({
        ...options,
        parameters: isTypeSchema(parameters) ? parameters : untyped(parameters),
    });
}

type Untyped = TypeSchema<Record<string, unknown>>;

function untyped(schema: JsonSchema): TypeSchema {
    const write = () => ({ ...schema });
    const standard = { version: 1, vendor: 'uzu', validate: (value: unknown) => ({ value }) } as const;
    return { '~standard': Object.assign(standard, { jsonSchema: { input: write, output: write } }) };
}
