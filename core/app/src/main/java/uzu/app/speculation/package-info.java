/** {@code bench speculation}: what drafts bring on real questions, beside plain decoding and a peer. */
@NullMarked
package uzu.app.speculation;

import org.jspecify.annotations.NullMarked;
