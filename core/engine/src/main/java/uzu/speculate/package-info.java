/** Speculation: drafters, the tree made of their proposals, what a pass of so many rows costs, and what was accepted. */
@NullMarked
package uzu.speculate;

import org.jspecify.annotations.NullMarked;
