package uzu.app.speculation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.KvCache;
import uzu.Model;
import uzu.UzuException;

/** Our engine with one model loaded, through the API that programs use. */
final class OwnChat implements AutoCloseable {
    private final Engine engine;
    private final Model model;
    private final ChatConfig config;
    // Holds the weights while sessions come and go.
    private final ChatInstance loaded;

    OwnChat(String identifier, int threads) {
        this(identifier, threads, KvCache.F16);
    }

    OwnChat(String identifier, int threads, KvCache cache) {
        config = ChatConfig.create().withKvCache(cache);
        engine = Engine.create(EngineConfig.create().withThreads(threads));
        try {
            Model found = engine.model(identifier);
            if (found == null) {
                throw new UzuException.ModelNotFound("no model is called " + identifier, Map.of("model", identifier));
            }
            model = found;
            loaded = engine.chatInstance(model, config);
        } catch (UzuException e) {
            engine.close();
            throw e;
        }
    }

    /** Why the model can't be decoded so; empty when it can. */
    Optional<String> refusal(Variant variant) {
        try {
            session(variant).close();
            return Optional.empty();
        } catch (UzuException.InvalidArgument | UzuException.ModelNotFound | UzuException.InvalidState e) {
            return Optional.of(variant.name() + ": " + e.getMessage());
        }
    }

    ChatSession session(Variant variant) {
        return engine.chat(model, config.withSpeculationPreset(variant.preset()));
    }

    /** @param ids whether the reply tells its tokens, which takes time */
    ChatReply reply(ChatSession session, String text, Sampling sampling, long seed, int tokens, boolean ids) {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withSamplingMethod(sampling.method())
                .withSeed(seed)
                .withTokenLimit(tokens);
        return session.reply(List.of(ChatMessage.user().withText(text)), ids ? config.withLogprobs(0) : config)
                .getFirst();
    }

    @Override
    public void close() {
        loaded.close();
        engine.close();
    }
}
