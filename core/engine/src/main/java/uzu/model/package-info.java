/** Architectures: a checkpoint becomes a program; one family a file. */
@NullMarked
package uzu.model;

import org.jspecify.annotations.NullMarked;
