package uzu.app.train;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Gguf;
import uzu.model.LanguageModel;
import uzu.tokenizer.Tokenizer;

/** {@code train-drafter}, its first stage: dialogues in shards, until there are enough. */
public final class TrainDrafter {
    private static final int DIALOGUES_PER_SHARD = 96;

    private TrainDrafter() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        Path folder = Path.of(args[1]);
        long wanted = Long.parseLong(args[2]);
        int threads = Integer.parseInt(args[3]);
        int count = Integer.parseInt(args[4]);
        Path promptFile = args.length > 5 ? Path.of(args[5]) : null;
        double share = args.length > 6 ? Double.parseDouble(args[6]) : 0.4;
        Files.createDirectories(folder);
        CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(threads));
        Gguf gguf = Gguf.open(Path.of(args[0]));
        LanguageModel model = LanguageModel.load(gguf, backend);
        Tokenizer tokenizer = Tokenizer.of(gguf.metadata());
        int[] ends = IntStream.concat(
                        Arrays.stream(model.endOfGeneration()), Arrays.stream(tokenizer.endOfGeneration()))
                .distinct()
                .toArray();
        Turns turns = TurnsReading.of(gguf.metadata().string("tokenizer.chat_template"), tokenizer, ends);
        List<int[]> prompts = new ArrayList<>();
        if (promptFile != null) {
            JsonMapper json = new JsonMapper();
            for (String line : Files.readAllLines(promptFile)) {
                int[] ids = tokenizer.encode(json.readTree(line).asString(), true);
                if (ids.length <= 160) {
                    prompts.add(ids);
                }
            }
        }
        int number = 0;
        while (Files.exists(file(folder, number))) {
            number++;
        }
        long start = System.nanoTime();
        long[] tokens = {0};
        List<Dialogue> done = new ArrayList<>();
        int vocabulary = Math.min(model.vocabularySize(), tokenizer.size());
        try (Writers writers =
                new Writers(model.executable(), vocabulary, turns, prompts, share, count, 1000003L * number + 17)) {
            while (tokens[0] < wanted) {
                writers.step(done::add);
                if (done.size() >= DIALOGUES_PER_SHARD) {
                    Shard.write(file(folder, number++), done);
                    tokens[0] += done.stream().mapToLong(Dialogue::answerTokens).sum();
                    out.printf(
                            "shard %d, %d answer tokens, %.0f/s%n",
                            number, tokens[0], tokens[0] / ((System.nanoTime() - start) / 1e9));
                    if (Boolean.getBoolean("show")) {
                        Dialogue last = done.getLast();
                        out.println(new String(bytes(tokenizer, last), java.nio.charset.StandardCharsets.UTF_8));
                    }
                    done.clear();
                }
            }
        }
        model.close();
        backend.close();
    }

    private static byte[] bytes(Tokenizer tokenizer, Dialogue dialogue) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (int i = 0; i < dialogue.size(); i++) {
            all.writeBytes(tokenizer.bytes(dialogue.id(i)));
        }
        return all.toByteArray();
    }

    private static Path file(Path folder, int number) {
        return folder.resolve("dialogues-%04d.safetensors".formatted(number));
    }
}
