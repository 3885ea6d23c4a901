/** {@code bench grammar}: what it costs to hold replies to a schema. */
@NullMarked
package uzu.app.grammar;

import org.jspecify.annotations.NullMarked;
