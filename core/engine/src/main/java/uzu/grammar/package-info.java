/** Grammars: JSON Schema, regular expressions and EBNF become masks over a vocabulary's tokens. */
@NullMarked
package uzu.grammar;

import org.jspecify.annotations.NullMarked;
