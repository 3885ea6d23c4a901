package uzu.generate;

import uzu.ChatReplyFinishReason;
import uzu.UzuException;

/** Told once, on the instance's thread, that a reply has ended, before its reader can see so. */
public interface EndListener {
    /** @param text all that was published */
    void finished(String text, ChatReplyFinishReason reason);

    void failed(UzuException error);
}
