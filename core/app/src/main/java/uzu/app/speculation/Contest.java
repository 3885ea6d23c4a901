package uzu.app.speculation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatSession;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.app.Models;

/**
 * One model and everyone who decodes it. Each turn of a conversation is answered by all, one right after the other, now
 * plain decoding and the peer first, now last, so what else the machine does meets all of them.
 */
final class Contest implements AutoCloseable {
    static final String PEER = "llama.cpp";
    static final String PEER_DRAFT = "llama.cpp + draft";

    private static final String WARMING = "Write a short story about %d lighthouses, and then the same story again.";
    private static final int WARMING_TOKENS = 48;
    /** Of a fast model, some thousand passes: before, the JVM interprets what is done between them. */
    private static final long WARMING_NANOS = 6_000_000_000L;
    /** An idle model measures what passes cost, one after the other, which mustn't meet the peer's time. */
    private static final int MILLISECONDS_TO_CALM = 6000;

    private final Plan plan;
    private final String model;
    /** By {@link #key}. */
    private final Map<String, OwnChat> chats = new HashMap<>();

    private final List<Variant> variants = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final @Nullable PromptIds prompts;
    private final @Nullable PeerDecoding peer;
    private final @Nullable PeerSpeculation peerSpeculation;
    private boolean plainLast;

    Contest(Plan plan, String model, Path file) {
        this.plan = plan;
        this.model = model;
        variants.add(Variant.plain());
        for (String name : plan.drafters()) {
            Variant variant = Variant.named(name, plan.draft());
            anyChat().refusal(variant).ifPresentOrElse(notes::add, () -> variants.add(variant));
        }
        if (variants.stream().anyMatch(variant -> variant.name().equals(Variant.DRAFT)) && variants.size() > 3) {
            variants.add(Variant.all(variants));
        }
        boolean compared = !plan.peer().isEmpty();
        prompts = compared ? new PromptIds(file) : null;
        peer = compared ? new PeerDecoding(plan.peer(), file, plan.threads()) : null;
        peerSpeculation = compared ? peerSpeculation(file, plan.draft()) : null;
    }

    /** Null where there is no draft model, or none that fits. */
    private @Nullable PeerSpeculation peerSpeculation(Path file, @Nullable String draft) {
        if (draft == null) {
            notes.add(PEER_DRAFT + ": no draft model was given (--draft)");
            return null;
        }
        if (anyChat().refusal(Variant.named(Variant.DRAFT, draft)).isPresent()) {
            notes.add(PEER_DRAFT + ": " + draft + " can't draft for this model");
            return null;
        }
        Path program = Path.of(plan.peer()).resolveSibling("llama-speculative-simple");
        return new PeerSpeculation(program.toString(), file, Models.path(draft), plan.threads());
    }

    /** Those who answer. */
    List<String> names() {
        List<String> names =
                new ArrayList<>(variants.stream().map(Variant::name).toList());
        if (peer != null) {
            names.add(PEER);
        }
        if (peerSpeculation != null) {
            names.add(PEER_DRAFT);
        }
        return names;
    }

    /** Who doesn't, and why. */
    List<String> notes() {
        return notes;
    }

    /** Until the compilers have seen the code, and passes have been timed. No reply is like another one. */
    void warm() {
        for (Variant variant : variants) {
            plan.samplings().forEach(sampling -> chat(variant, sampling));
        }
        long begun = System.nanoTime();
        int round = 1;
        do {
            round++;
            for (Variant variant : variants) {
                for (Sampling sampling : plan.samplings()) {
                    OwnChat answering = chat(variant, sampling);
                    try (ChatSession session = answering.session(variant)) {
                        answering.reply(session, WARMING.formatted(round), sampling, round, WARMING_TOKENS, false);
                    }
                }
            }
        } while (System.nanoTime() - begun < WARMING_NANOS);
        try {
            Thread.sleep((long) MILLISECONDS_TO_CALM * chats.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }

    private OwnChat chat(Variant variant, Sampling sampling) {
        return chats.computeIfAbsent(key(variant, sampling), key -> new OwnChat(model, plan.threads()));
    }

    private OwnChat anyChat() {
        return chat(Variant.plain(), plan.samplings().getFirst());
    }

    /**
     * Each sampling has a model of its own, and so has each variant that recalls but the last one: nobody may recall what
     * answered the same question before. That one has the same copy of the weights as plain decoding: where they lie in
     * memory makes up to a tenth of the speed.
     */
    private String key(Variant variant, Sampling sampling) {
        Optional<Variant> last =
                variants.reversed().stream().filter(Variant::recalls).findFirst();
        boolean isAlone = variant.recalls() && !last.equals(Optional.of(variant));
        return sampling + (isAlone ? " " + variant.name() : "");
    }

    /** The turns of a conversation. */
    List<Measured> measure(Unit unit) {
        Map<String, ChatSession> sessions = new HashMap<>();
        List<Measured> turns = new ArrayList<>();
        try {
            for (Variant variant : variants) {
                sessions.put(variant.name(), chat(variant, unit.sampling()).session(variant));
            }
            for (int turn = 0; turn < unit.question().turns().size(); turn++) {
                turns.add(turn(unit, turn, sessions));
            }
        } finally {
            sessions.values().forEach(ChatSession::close);
        }
        plainLast = !plainLast;
        return turns;
    }

    private Measured turn(Unit unit, int turn, Map<String, ChatSession> sessions) {
        String text = unit.question().turns().get(turn);
        List<ChatMessage> messages = new ArrayList<>(of(sessions, Variant.PLAIN).messages());
        messages.add(ChatMessage.user().withText(text));
        Map<String, ChatReply> own = new HashMap<>();
        Map<String, ReplyFigures> figures = new HashMap<>();
        for (Variant variant : plainLast ? variants.reversed() : variants) {
            ChatSession session = of(sessions, variant.name());
            ChatReply reply = chat(variant, unit.sampling())
                    .reply(session, text, unit.sampling(), unit.seed(), plan.tokens(), plan.ids());
            own.put(variant.name(), reply);
            if (variant.name().equals(Variant.PLAIN)) {
                addPeers(messages, reply, unit.sampling(), figures);
            }
        }
        ChatReply plain = of(own, Variant.PLAIN);
        own.forEach((name, reply) -> figures.put(name, ReplyFigures.of(reply.stats(), isEqual(reply, plain))));
        int promptTokens = Objects.requireNonNullElse(plain.stats().tokensCountInput(), 0);
        return new Measured(
                unit.task(), unit.question().id(), turn + 1, unit.sampling().title(), promptTokens, figures);
    }

    /** The peers read the prompt that plain decoding had, and draw as many tokens. */
    private void addPeers(
            List<ChatMessage> messages, ChatReply plain, Sampling sampling, Map<String, ReplyFigures> figures) {
        if (prompts == null || peer == null) {
            return;
        }
        String text = prompts.text(messages);
        int[] ids = prompts.ids(text);
        if (!Objects.equals(plain.stats().tokensCountInput(), ids.length)) {
            throw new UzuException.Internal("the prompt has " + ids.length + " tokens, but the engine read "
                    + plain.stats().tokensCountInput());
        }
        int drawn = Objects.requireNonNullElse(plain.stats().tokensCountOutput(), 0);
        ReplyFigures nothing = ReplyFigures.of(0, 0);
        figures.put(PEER, drawn < 2 ? nothing : peer.answer(ids, drawn - 1, sampling));
        if (peerSpeculation != null) {
            figures.put(PEER_DRAFT, drawn < 2 ? nothing : peerSpeculation.answer(text, ids.length, drawn, sampling));
        }
    }

    private static boolean isEqual(ChatReply reply, ChatReply plain) {
        return reply.message().equals(plain.message())
                && Objects.equals(
                        reply.stats().tokensCountOutput(), plain.stats().tokensCountOutput())
                && tokens(reply).equals(tokens(plain));
    }

    /** None unless log probabilities were asked for. */
    private static List<Integer> tokens(ChatReply reply) {
        return reply.logprobs().stream().map(TokenLogprob::token).toList();
    }

    private static <T> T of(Map<String, T> map, String name) {
        return Objects.requireNonNull(map.get(name), name);
    }

    @Override
    public void close() {
        chats.values().forEach(OwnChat::close);
        if (peer != null) {
            peer.close();
        }
    }
}
