/** Chat templates and message parsing. */
@NullMarked
package uzu.chat;

import org.jspecify.annotations.NullMarked;
