import { checkedText } from './checks.js';
import { runtime } from './runtime.js';

/**
 * @internal A JSON value as far as its text goes: strings and numbers as they stand, other words once they are whole,
 * members once their value begins. null when there is nothing yet, or when the text is no JSON.
 */
export function partialValue(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return JSON.parse(runtime().transport.textNow('json_complete', checkedText(text, 'text')));
    }
}
