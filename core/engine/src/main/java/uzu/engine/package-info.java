/** The implementation behind the public API: engines, loaded models, sessions. */
@NullMarked
package uzu.engine;

import org.jspecify.annotations.NullMarked;
