/** The public API: configurations, messages, sessions, errors. Everything else in the module implements it. */
@NullMarked
package uzu;

import org.jspecify.annotations.NullMarked;
