/** The decoding loop, sampling, stop rules and prefix reuse. */
@NullMarked
package uzu.generate;

import org.jspecify.annotations.NullMarked;
