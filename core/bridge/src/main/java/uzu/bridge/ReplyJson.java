package uzu.bridge;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyDelta;
import uzu.ChatReplyFinishReason;
import uzu.ChatReplyStats;
import uzu.ChatRole;
import uzu.ChatSessionStreamChunk;
import uzu.Completion;
import uzu.CompletionChunk;
import uzu.TokenLogprob;

/**
 * Chunks as deltas: {text, reasoning, tool_calls?, stats, finish_reason, logprobs?}, and with the last one of a message
 * the whole message; or {tool_results}. One object for each stream: it knows how many logprobs it has sent.
 */
final class ReplyJson {
    private int logprobsSent;

    private ReplyJson() {}

    static Function<ChatSessionStreamChunk, String> ofChat() {
        return new ReplyJson()::chat;
    }

    static Function<CompletionChunk, String> ofCompletion() {
        return new ReplyJson()::completion;
    }

    private String chat(ChatSessionStreamChunk chunk) {
        JsonWriter json = new JsonWriter().object();
        switch (chunk) {
            case ChatSessionStreamChunk.Error failed -> throw failed.error();
            case ChatSessionStreamChunk.ToolResults answered -> {
                logprobsSent = 0;
                ChatMessage message = new ChatMessage(ChatRole.TOOL, List.copyOf(answered.results()));
                json.put("tool_results", MessageJson.write(message).get("content"));
            }
            case ChatSessionStreamChunk.Replies replies ->
                reply(json, replies.delta(), replies.replies().getFirst());
        }
        return json.endObject().toString();
    }

    private void reply(JsonWriter json, ChatReplyDelta delta, ChatReply reply) {
        json.put("text", delta.text()).put("reasoning", delta.reasoning());
        if (!delta.toolCalls().isEmpty()) {
            json.array("tool_calls");
            for (ChatReplyDelta.ToolCallDelta call : delta.toolCalls()) {
                json.object()
                        .put("index", call.index())
                        .put("identifier", call.identifier())
                        .put("name", call.name())
                        .put("arguments", call.arguments())
                        .endObject();
            }
            json.endArray();
        }
        finish(json, reply.stats(), reply.finishReason(), reply.logprobs());
        if (reply.finishReason() == null) {
            return;
        }
        json.put("message", MessageJson.write(reply.message()));
        if (!reply.unenforced().isEmpty()) {
            json.array("unenforced");
            reply.unenforced().forEach(json::add);
            json.endArray();
        }
    }

    private String completion(CompletionChunk chunk) {
        Completion completion = chunk.completion();
        JsonWriter json = new JsonWriter().object().put("text", chunk.delta());
        finish(json, completion.stats(), completion.finishReason(), completion.logprobs());
        return json.endObject().toString();
    }

    private void finish(
            JsonWriter json,
            ChatReplyStats stats,
            @Nullable ChatReplyFinishReason reason,
            List<TokenLogprob> logprobs) {
        stats(json, stats);
        json.put("finish_reason", reason == null ? null : Fields.name(reason));
        if (logprobs.size() > logprobsSent) {
            logprobs(json, "logprobs", logprobs.subList(logprobsSent, logprobs.size()));
            logprobsSent = logprobs.size();
        }
    }

    static void stats(JsonWriter json, ChatReplyStats stats) {
        json.object("stats")
                .put("duration", stats.duration())
                .put("time_to_first_token", stats.timeToFirstToken())
                .put("prefill_tokens_per_second", stats.prefillTokensPerSecond())
                .put("generate_tokens_per_second", stats.generateTokensPerSecond())
                .put("tokens_count_input", stats.tokensCountInput())
                .put("tokens_count_output", stats.tokensCountOutput())
                .put("tokens_count_cached", stats.tokensCountCached())
                .put("tokens_count", stats.tokensCount())
                .put("memory_used_bytes", stats.memoryUsedBytes())
                .put("seed", stats.seed());
        SpeculationJson.stats(json, stats.speculatorStats());
        json.endObject();
    }

    private static void logprobs(JsonWriter json, String name, List<TokenLogprob> all) {
        json.array(name);
        for (TokenLogprob one : all) {
            json.object().put("token", one.token()).put("text", one.text()).put("logprob", one.logprob());
            logprobs(json, "alternatives", one.alternatives());
            json.endObject();
        }
        json.endArray();
    }
}
