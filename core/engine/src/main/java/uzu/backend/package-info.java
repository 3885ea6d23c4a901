/** Programs, batches and what a backend must do; shapes and exact arithmetic. */
@NullMarked
package uzu.backend;

import org.jspecify.annotations.NullMarked;
