package uzu.bridge;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
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
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private int logprobsSent;

    private ReplyJson() {}

    static Function<ChatSessionStreamChunk, JsonNode> ofChat() {
        return new ReplyJson()::chat;
    }

    static Function<CompletionChunk, JsonNode> ofCompletion() {
        return new ReplyJson()::completion;
    }

    private JsonNode chat(ChatSessionStreamChunk chunk) {
        return switch (chunk) {
            case ChatSessionStreamChunk.Error failed -> throw failed.error();
            case ChatSessionStreamChunk.ToolResults answered -> {
                ObjectNode json = NODES.objectNode();
                logprobsSent = 0;
                json.set(
                        "tool_results",
                        MessageJson.write(new ChatMessage(ChatRole.TOOL, List.copyOf(answered.results())))
                                .get("content"));
                yield json;
            }
            case ChatSessionStreamChunk.Replies replies -> {
                ChatReply reply = replies.replies().getFirst();
                ObjectNode json = NODES.objectNode();
                json.put("text", replies.delta().text());
                json.put("reasoning", replies.delta().reasoning());
                if (!replies.delta().toolCalls().isEmpty()) {
                    ArrayNode calls = json.putArray("tool_calls");
                    replies.delta().toolCalls().forEach(call -> calls.add(delta(call)));
                }
                finish(json, reply.stats(), reply.finishReason(), reply.logprobs());
                if (reply.finishReason() != null) {
                    json.set("message", MessageJson.write(reply.message()));
                }
                if (reply.finishReason() != null && !reply.unenforced().isEmpty()) {
                    ArrayNode keywords = json.putArray("unenforced");
                    reply.unenforced().forEach(keywords::add);
                }
                yield json;
            }
        };
    }

    private static ObjectNode delta(ChatReplyDelta.ToolCallDelta call) {
        return NODES.objectNode()
                .put("index", call.index())
                .put("identifier", call.identifier())
                .put("name", call.name())
                .put("arguments", call.arguments());
    }

    private JsonNode completion(CompletionChunk chunk) {
        Completion completion = chunk.completion();
        ObjectNode json = NODES.objectNode();
        json.put("text", chunk.delta());
        finish(json, completion.stats(), completion.finishReason(), completion.logprobs());
        return json;
    }

    private void finish(
            ObjectNode json,
            ChatReplyStats stats,
            @Nullable ChatReplyFinishReason reason,
            List<TokenLogprob> logprobs) {
        json.set("stats", stats(stats));
        json.put("finish_reason", reason == null ? null : Fields.name(reason));
        if (logprobs.size() > logprobsSent) {
            ArrayNode fresh = json.putArray("logprobs");
            logprobs.subList(logprobsSent, logprobs.size()).forEach(one -> fresh.add(logprob(one)));
            logprobsSent = logprobs.size();
        }
    }

    static ObjectNode stats(ChatReplyStats stats) {
        ObjectNode json = NODES.objectNode();
        json.put("duration", stats.duration());
        json.put("time_to_first_token", stats.timeToFirstToken());
        json.put("prefill_tokens_per_second", stats.prefillTokensPerSecond());
        json.put("generate_tokens_per_second", stats.generateTokensPerSecond());
        json.put("tokens_count_input", stats.tokensCountInput());
        json.put("tokens_count_output", stats.tokensCountOutput());
        json.put("tokens_count_cached", stats.tokensCountCached());
        json.put("tokens_count", stats.tokensCount());
        json.put("memory_used_bytes", stats.memoryUsedBytes());
        json.put("seed", stats.seed());
        ObjectNode speculation = SpeculationJson.stats(stats.speculatorStats());
        if (speculation != null) {
            json.set("speculator_stats", speculation);
        }
        return json;
    }

    private static ObjectNode logprob(TokenLogprob one) {
        ObjectNode json = NODES.objectNode();
        json.put("token", one.token()).put("text", one.text()).put("logprob", one.logprob());
        ArrayNode alternatives = json.putArray("alternatives");
        one.alternatives().forEach(other -> alternatives.add(logprob(other)));
        return json;
    }
}
