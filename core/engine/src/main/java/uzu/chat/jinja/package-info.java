/**
 * Jinja as chat templates use it: the language of jinja2 3.1 in the sandbox that HF transformers sets up, with Python's
 * values, spellings and error texts. Templates come with models and are not trusted: see {@link Limits}.
 */
@NullMarked
package uzu.chat.jinja;

import org.jspecify.annotations.NullMarked;
