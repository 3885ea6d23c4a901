/** The packages of Python and JavaScript on GraalPy and GraalJS, over the engine of the same JVM. */
@NullMarked
package uzu.polyglot;

import org.jspecify.annotations.NullMarked;
