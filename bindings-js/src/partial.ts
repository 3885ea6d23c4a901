/**
 * @internal A JSON value as far as its text goes: strings and numbers as they stand, other words once they are whole,
 * members once their value begins. null when there is nothing yet, or when the text is no JSON.
 */
export function partialValue(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        // Not whole.
    }
    try {
        return new PartialReader(text).whole() ?? null;
    } catch {
        return null;
    }
}

class PartialReader {
    readonly #text: string;
    #at = 0;

    constructor(text: string) {
        this.#text = text;
    }

    /** The one value that the text is to hold. */
    whole(): unknown {
        const value = this.value();
        if (this.#next() !== '') {
            throw new SyntaxError(`more than a value at ${this.#at}`);
        }
        return value;
    }

    /** undefined where nothing of a value is there yet. */
    value(): unknown {
        switch (this.#next()) {
            case '':
                return undefined;
            case '{':
                return this.#object();
            case '[':
                return this.#array();
            case '"':
                return this.#string();
            default:
                return this.#word();
        }
    }

    #object(): unknown {
        const members: [string, unknown][] = [];
        this.#at++;
        while (this.#next() === '"') {
            const key = this.#string();
            if (!this.#take(':')) {
                break;
            }
            const value = this.value();
            if (value === undefined) {
                break;
            }
            members.push([key, value]);
            if (!this.#take(',')) {
                break;
            }
        }
        this.#end('}');
        return Object.fromEntries(members);
    }

    #array(): unknown {
        const values: unknown[] = [];
        this.#at++;
        while (this.#next() !== ']') {
            const value = this.value();
            if (value === undefined) {
                break;
            }
            values.push(value);
            if (!this.#take(',')) {
                break;
            }
        }
        this.#end(']');
        return values;
    }

    #string(): string {
        const string = this.#match(/"(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*/y);
        if (this.#text[this.#at] === '"') {
            this.#at++;
            return JSON.parse(`${string}"`) as string;
        }
        // What is left is an escape that isn't whole, which may be the second half of a character.
        this.#at = this.#text.length;
        return (JSON.parse(`${string}"`) as string).replace(/[\ud800-\udbff]$/, '');
    }

    #word(): unknown {
        const word = this.#match(/[-+.\w]+/y);
        if (this.#at < this.#text.length || /^(true|false|null)$/.test(word)) {
            return JSON.parse(word);
        }
        const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/.exec(word);
        return number === null ? undefined : Number(number[0]);
    }

    /** The next character that isn't white; empty at the end. */
    #next(): string {
        this.#match(/\s*/y);
        return this.#text[this.#at] ?? '';
    }

    #take(character: string): boolean {
        const found = this.#next() === character;
        this.#at += found ? 1 : 0;
        return found;
    }

    /** What is open here ends with the text, or by this. */
    #end(character: string): void {
        if (!this.#take(character) && this.#at < this.#text.length) {
            throw new SyntaxError(`no ${character} at ${this.#at}`);
        }
    }

    #match(pattern: RegExp): string {
        pattern.lastIndex = this.#at;
        const found = pattern.exec(this.#text)?.[0] ?? '';
        this.#at += found.length;
        return found;
    }
}
