/** Replies: a model's text becomes reasoning, text and tool calls, a file a format. */
@NullMarked
package uzu.chat.parse;

import org.jspecify.annotations.NullMarked;
