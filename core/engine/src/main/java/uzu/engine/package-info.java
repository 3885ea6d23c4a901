/** The implementation behind the public API. */
@NullMarked
package uzu.engine;

import org.jspecify.annotations.NullMarked;
