@NullMarked
package uzu.app;

import org.jspecify.annotations.NullMarked;
