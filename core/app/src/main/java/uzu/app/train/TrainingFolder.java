package uzu.app.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the work on one model lies: dialogues and their features in numbered shards, prompts, checkpoints. */
record TrainingFolder(Path path) {
    static TrainingFolder create(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw Disk.failure(path, e);
        }
        return new TrainingFolder(path);
    }

    Path dialogues(int number) {
        return path.resolve("dialogues-%04d.safetensors".formatted(number));
    }

    Path features(int number) {
        return path.resolve("features-%04d.safetensors".formatted(number));
    }

    /** Whose dialogues these are. */
    Path model() {
        return path.resolve("model.txt");
    }

    /** Embedding and readout of the target. */
    Path target() {
        return path.resolve("target.safetensors");
    }

    /** Shards from 0 on, without a gap. */
    int shards() {
        int count = 0;
        while (Files.exists(dialogues(count))) {
            count++;
        }
        return count;
    }
}
