@NullMarked
package uzu.bridge;

import org.jspecify.annotations.NullMarked;
