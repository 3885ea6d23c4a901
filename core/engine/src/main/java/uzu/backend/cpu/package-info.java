/** The CPU backend: worker team, memory, kernels in scalar Java and C. */
@NullMarked
package uzu.backend.cpu;

import org.jspecify.annotations.NullMarked;
