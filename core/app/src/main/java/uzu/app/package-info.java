/** The {@code uzu} program: measurements, recorded activations, templates compared. */
@NullMarked
package uzu.app;

import org.jspecify.annotations.NullMarked;
