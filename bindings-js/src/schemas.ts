import { InvalidArgument } from './errors.js';

/** A JSON schema as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema of zod 4.2 or newer, or of any other library that follows Standard Schema: it checks values, has a type, and
 * can be written as JSON schema.
 */
export interface TypeSchema<Output = unknown, Input = Output> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
        readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    };
}

type Validation<Output> =
    { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of the values that a schema gives. */
export type OutputOf<S extends TypeSchema> = NonNullable<S['~standard']['types']>['output'];

/** The type of the values that a schema takes. */
export type InputOf<S extends TypeSchema> = NonNullable<S['~standard']['types']>['input'];

interface JsonSchemaWriter {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** @internal */
export function isTypeSchema(value: unknown): value is TypeSchema {
    return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value;
}

/** @internal The JSON schema of a type: of what it gives, as that is closed, else of what it takes. */
export function jsonSchemaOf(schema: TypeSchema, field: string): JsonSchema {
    if (!isTypeSchema(schema)) {
        throw new InvalidArgument(`${field} must be a schema of a type: z.object({…}), say`, { field });
    }
    const writer = (schema['~standard'] as { readonly jsonSchema?: JsonSchemaWriter }).jsonSchema;
    if (writer === undefined) {
        const vendor = schema['~standard'].vendor;
        throw new InvalidArgument(`${field}: this version of ${vendor} can't write JSON schema; zod 4.2 can`, {
            field,
        });
    }
    const options = { target: 'draft-2020-12' };
    try {
        return writer.output(options);
    } catch {
        // What transforms has no schema of its results.
    }
    try {
        return writer.input(options);
    } catch (failure) {
        throw new InvalidArgument(`${field} has no JSON schema: ${String(failure)}`, { field }, { cause: failure });
    }
}

/** @internal The value of a type for a JSON value. The schema's own error where it has one, as zod has. */
export async function parsed<S extends TypeSchema>(schema: S, value: unknown): Promise<OutputOf<S>> {
    const own = (schema as { readonly parseAsync?: unknown }).parseAsync;
    if (typeof own === 'function') {
        return (await own.call(schema, value)) as OutputOf<S>;
    }
    return checkedValue(await schema['~standard'].validate(value)) as OutputOf<S>;
}

/** @internal As `parsed`, with an error of ours, which is short and names the place. */
export async function parsedInOurWords<S extends TypeSchema>(schema: S, value: unknown): Promise<OutputOf<S>> {
    return checkedValue(await schema['~standard'].validate(value)) as OutputOf<S>;
}

/** @internal The same for schemas that need not wait. */
export function parsedNow<S extends TypeSchema>(schema: S, value: unknown): OutputOf<S> {
    const result = schema['~standard'].validate(value);
    if (result instanceof Promise) {
        throw new InvalidArgument('This schema checks asynchronously: parse the text with it instead', {
            field: 'schema',
        });
    }
    return checkedValue(result) as OutputOf<S>;
}

function checkedValue<Output>(result: Validation<Output>): Output {
    if (result.issues === undefined) {
        return result.value;
    }
    const [first] = result.issues;
    const field = (first?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    const message = result.issues.map((issue) => issue.message).join('; ');
    throw new InvalidArgument(`The value doesn't fit its type${field && ` at ${field}`}: ${message}`, { field });
}
