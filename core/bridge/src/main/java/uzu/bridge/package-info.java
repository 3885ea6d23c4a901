/** The engine for other languages: what stands behind {@code uzu.h}, as handles and JSON. */
@NullMarked
package uzu.bridge;

import org.jspecify.annotations.NullMarked;
