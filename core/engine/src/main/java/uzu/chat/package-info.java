/** Chat templates: a conversation becomes the text that its model was trained on. */
@NullMarked
package uzu.chat;

import org.jspecify.annotations.NullMarked;
