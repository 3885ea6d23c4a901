package uzu.app.train;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.SpeculatorFolder;
import uzu.model.FeatureNetwork;
import uzu.tokenizer.VocabularyFingerprint;

/**
 * The stages that make drafters for a model of its own dialogues, one after the other. Each begins where an interrupted
 * one stopped.
 */
public final class TrainDrafter {
    /** What can be made. */
    public enum Kind {
        TABLES,
        NETWORK,
        BLOCK;

        /** @throws UzuException.InvalidArgument for another word */
        public static Kind of(String word) {
            for (Kind kind : values()) {
                if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return kind;
                }
            }
            throw new UzuException.InvalidArgument("--only takes tables, network and block, not " + word);
        }

        boolean needsFeatures() {
            return this != TABLES;
        }
    }

    /**
     * What to do.
     *
     * @param model a GGUF file or a folder
     * @param folder where the work lies
     * @param kinds what to make
     * @param tokens answer tokens to learn from
     * @param featured of them, those that networks learn from
     * @param hours most time of this run
     * @param batch dialogues at a time
     * @param prompts a folder of files {@code *.jsonl}, a JSON string a line, with which most dialogues begin; null:
     *     the model writes all questions itself
     * @param trainers the programs that train networks, or null
     */
    public record Plan(
            Path model,
            Path folder,
            Set<Kind> kinds,
            long tokens,
            long featured,
            double hours,
            int threads,
            int batch,
            @Nullable Path prompts,
            @Nullable Trainers trainers) {
        private List<Kind> networks() {
            return kinds.stream().filter(Kind::needsFeatures).sorted().toList();
        }

        /**
         * @throws UzuException.InvalidArgument when it can't be carried out here
         * @throws UzuException.InvalidState when the folder has work on another model
         */
        public void check() {
            TrainedModel.of(model).check(new TrainingFolder(folder));
            if (!networks().isEmpty()) {
                trainersOrFail().check();
            }
        }

        private Trainers trainersOrFail() {
            if (trainers == null) {
                throw new UzuException.InvalidArgument(
                        "networks are trained in Python: start this by tools/tools, or name --python and --trainers");
            }
            return trainers;
        }
    }

    /** Seconds, however late it is. */
    private static final double SHORTEST_TRAINING = 60;

    private final Plan plan;
    private final TrainingFolder folder;
    private final Progress progress;
    private final long start = System.nanoTime();

    public TrainDrafter(Plan plan, PrintStream out) {
        this.plan = plan;
        this.folder = TrainingFolder.create(plan.folder);
        this.progress = new Progress(out, "train-drafter");
    }

    /** Runs all stages; the next run goes on where this one is stopped. */
    public void run() {
        plan.check();
        TrainedModel.of(plan.model).claim(folder);
        List<Kind> networks = plan.networks();
        progress.say(
                "%s for %s, in %s; %d shards of dialogues are there",
                plan.kinds, plan.model, folder.path(), folder.shards());
        Path speculator =
                TrainingFolder.create(SpeculatorFolder.own(plan.model)).path();
        String fingerprint = "";
        int[] layers = {};
        try (Target target = Target.open(plan.model, plan.threads)) {
            Prompts prompts = Prompts.in(plan.prompts, target.tokenizer());
            long vocabulary = VocabularyFingerprint.of(target.tokenizer());
            if (networks.isEmpty()) {
                write(target, prompts, null, 1);
            } else {
                TargetStage.run(folder, target.checkpoint(), prompts);
                try (FeatureTap tap = FeatureTap.of(target.model())) {
                    layers = tap.layers();
                    fingerprint = FeatureNetwork.fingerprint(vocabulary, target.model());
                    write(target, prompts, tap, 0.6);
                    new FeatureStage(folder, progress.of("features"))
                            .run(target.model().executable(), tap, plan.featured, deadline(0.7));
                }
            }
            if (plan.kinds.contains(Kind.TABLES)) {
                new TableStage(folder, progress.of("tables")).run(vocabulary, speculator.resolve("tables.bin"));
            }
        }
        for (int i = 0; i < networks.size(); i++) {
            double left = (deadline(1) - System.nanoTime()) / 1e9 / (networks.size() - i);
            plan.trainersOrFail()
                    .run(
                            networks.get(i),
                            folder,
                            speculator,
                            fingerprint,
                            layers,
                            Math.max(SHORTEST_TRAINING, left),
                            plan.threads,
                            progress);
        }
        progress.say("done: %s", speculator);
    }

    private void write(Target target, Prompts prompts, @Nullable FeatureTap tap, double share) {
        new DialogueStage(folder, progress.of("dialogues"))
                .run(target, prompts, tap, plan.batch, plan.tokens, plan.featured, deadline(share));
    }

    private long deadline(double share) {
        return start + (long) (plan.hours * share * TimeUnit.HOURS.toNanos(1));
    }
}
