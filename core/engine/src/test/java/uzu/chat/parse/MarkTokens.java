package uzu.chat.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.tokenizer.Tokenizer;

/** A tokenizer with a token for each byte, and one, of control, for each mark of the formats. */
final class MarkTokens {
    private static final List<String> MARKS = List.of(
            "<tool_call>",
            "</tool_call>",
            "<think>",
            "</think>",
            "[TOOL_CALLS]",
            "[CALL_ID]",
            "[ARGS]",
            "[THINK]",
            "[/THINK]",
            "<｜tool▁calls▁begin｜>",
            "<｜tool▁calls▁end｜>",
            "<｜tool▁call▁begin｜>",
            "<｜tool▁call▁end｜>",
            "<｜tool▁sep｜>",
            "<|tool_calls_section_begin|>",
            "<|tool_calls_section_end|>",
            "<|tool_call_begin|>",
            "<|tool_call_end|>",
            "<|tool_call_argument_begin|>",
            "<|python_tag|>",
            "<|tool_call_start|>",
            "<start_function_call>",
            "<end_function_call>",
            "<escape>",
            "<|tool_call>",
            "<tool_call|>",
            "<|\"|>",
            "<|channel>",
            "<channel|>",
            "<|tool_call|>",
            "<|/tool_call|>",
            "<|tools_prefix|>",
            "<|tools_suffix|>",
            "<|START_ACTION|>",
            "<|END_ACTION|>",
            "<TOOLCALL>",
            "</TOOLCALL>",
            "<arg_key>",
            "</arg_key>",
            "<arg_value>",
            "</arg_value>",
            "<seed:think>",
            "</seed:think>",
            "<seed:tool_call>",
            "</seed:tool_call>",
            "<minimax:tool_call>",
            "</minimax:tool_call>",
            "｜DSML｜",
            "<|channel|>",
            "<|message|>",
            "<|start|>",
            "<|end|>",
            "<|call|>",
            "<|return|>",
            "<|constrain|>",
            "<|open|>",
            "<|close|>",
            "<|sep|>",
            "]<]minimax[>[",
            "<mm:think>",
            "</mm:think>",
            "<|think|>",
            "<|content|>",
            "<|begin|>",
            "<|tool_calls|>",
            "<|calls|>",
            "<|tool_call:begin|>",
            "<|tool_call:name|>",
            "<|tool_call:args|>",
            "<|tool_call:end|>",
            "<|function_call|>",
            "<|role_sep|>",
            "<|message_sep|>",
            "<|python_start|>",
            "<|python_end|>",
            "<think:opensource>",
            "</think:opensource>",
            "<tool_calls:opensource>",
            "</tool_calls:opensource>",
            "<tool_call:opensource>",
            "</tool_call:opensource>",
            "<tool_sep:opensource>",
            "<arg_key:opensource>",
            "</arg_key:opensource>",
            "<arg_value:opensource>",
            "</arg_value:opensource>");

    private MarkTokens() {}

    static Tokenizer tokenizer() {
        JsonMapper mapper = JsonMapper.shared();
        ObjectNode root = mapper.createObjectNode();
        ObjectNode model = root.putObject("model").put("type", "BPE");
        ObjectNode vocabulary = model.putObject("vocab");
        model.putArray("merges");
        int other = 256;
        for (int b = 0; b < 256; b++) {
            boolean printable = b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
            vocabulary.put(String.valueOf((char) (printable ? b : other++)), b);
        }
        ArrayNode added = root.putArray("added_tokens");
        for (int i = 0; i < MARKS.size(); i++) {
            added.addObject()
                    .put("id", 256 + i)
                    .put("content", MARKS.get(i))
                    .put("special", true)
                    .put("single_word", false)
                    .put("lstrip", false)
                    .put("rstrip", false)
                    .put("normalized", false);
        }
        root.putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("use_regex", false);
        root.putObject("decoder").put("type", "ByteLevel");
        try {
            Path file = Files.createTempFile("uzu-marks", ".json");
            try {
                Files.writeString(file, root.toString());
                return Tokenizer.of(file, null);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
