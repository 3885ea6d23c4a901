/** Text to token ids and back. */
@NullMarked
package uzu.tokenizer;

import org.jspecify.annotations.NullMarked;
