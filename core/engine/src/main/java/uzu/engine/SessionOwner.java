package uzu.engine;

/** What keeps account of its sessions. */
interface SessionOwner {
    /** Nobody does. */
    SessionOwner NONE = new SessionOwner() {
        @Override
        public void opened(LocalChatSession session) {}

        @Override
        public void closed(LocalChatSession session) {}
    };

    /** @throws uzu.UzuException.Closed when it is closed itself */
    void opened(LocalChatSession session);

    void closed(LocalChatSession session);
}
