package uzu.bridge;

import org.jspecify.annotations.Nullable;
import uzu.ChatInstance;
import uzu.ChatSession;
import uzu.Engine;

/** What a handle may stand for. */
sealed interface Resource {
    enum Kind {
        ENGINE,
        INSTANCE,
        SESSION,
        STREAM,
        QUEUE
    }

    Kind kind();

    void close();

    record OpenEngine(Engine engine) implements Resource {
        @Override
        public Kind kind() {
            return Kind.ENGINE;
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    record OpenInstance(Engine engine, ChatInstance instance) implements Resource {
        @Override
        public Kind kind() {
            return Kind.INSTANCE;
        }

        @Override
        public void close() {
            instance.close();
        }
    }

    record OpenSession(ChatSession session) implements Resource {
        @Override
        public Kind kind() {
            return Kind.SESSION;
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /** @param calls null for streams that call no tools */
    record OpenStream(JsonStream<?> stream, @Nullable HostCalls calls) implements Resource {
        @Override
        public Kind kind() {
            return Kind.STREAM;
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    record OpenQueue(StreamQueue queue) implements Resource {
        @Override
        public Kind kind() {
            return Kind.QUEUE;
        }

        @Override
        public void close() {
            queue.close();
        }
    }
}
