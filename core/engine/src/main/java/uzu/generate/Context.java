package uzu.generate;

import org.jspecify.annotations.Nullable;
import uzu.backend.Sequence;
import uzu.speculate.DraftSession;

/**
 * What an instance has computed for one conversation, kept from reply to reply. Only the instance's thread looks
 * inside; others just hand it back to the instance.
 */
public final class Context {
    /** Made with the first reply; its committed tokens are the first ones of {@link #tokens}. */
    @Nullable Sequence sequence;

    final Tokens tokens = new Tokens();

    /** Made with the first reply that speculates. */
    @Nullable DraftSession drafts;

    boolean released;

    Context() {}
}
