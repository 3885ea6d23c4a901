package uzu.app.train;

import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/**
 * First user turns: from files, or none, so that the model writes one itself. None of a file comes again before all of
 * it have come.
 */
final class Prompts {
    private static final int LONGEST = 160;
    /** Of the dialogues that begin with a prompt where there are some. */
    private static final double SHARE = 0.75;

    private static final int HELD_OUT_ONE_IN = 24;

    private final List<Deck> sources;
    private final double share;

    /**
     * A user turn.
     *
     * @param tokens none: the model is to write it
     * @param heldOut so are all dialogues that begin with it
     */
    record Prompt(int[] tokens, boolean heldOut) {}

    /** Prompts of a file, those that have come first. */
    private static final class Deck {
        private final List<Prompt> prompts = new ArrayList<>();
        private int used;

        Deck(List<int[]> turns) {
            for (int number = 0; number < turns.size(); number++) {
                prompts.add(new Prompt(turns.get(number), number % HELD_OUT_ONE_IN == 0));
            }
        }

        Prompt draw(RandomGenerator random) {
            if (used == prompts.size()) {
                used = 0;
            }
            Collections.swap(prompts, used, used + random.nextInt(prompts.size() - used));
            return prompts.get(used++);
        }

        void use(Set<IntBuffer> known) {
            for (int i = used; i < prompts.size(); i++) {
                if (known.contains(IntBuffer.wrap(prompts.get(i).tokens))) {
                    Collections.swap(prompts, used++, i);
                }
            }
        }
    }

    private Prompts(List<Deck> sources, double share) {
        this.sources = sources;
        this.share = share;
    }

    /** @param folder of files {@code *.jsonl}; null: there are no prompts */
    static Prompts in(@Nullable Path folder, Tokenizer tokenizer) {
        if (folder == null) {
            return new Prompts(List.of(), 0);
        }
        try (var found = Files.list(folder)) {
            List<Path> files = found.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
            return read(files, SHARE, tokenizer);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    folder + " is no folder of prompts: " + e.getMessage(), Map.of("path", folder.toString()), e);
        }
    }

    /**
     * @param files a JSON string a line; each file has the same weight
     * @param share of the dialogues that begin with such a prompt
     */
    static Prompts read(List<Path> files, double share, Tokenizer tokenizer) {
        JsonMapper json = new JsonMapper();
        List<List<int[]>> sources = new ArrayList<>();
        for (Path file : files) {
            List<int[]> source = new ArrayList<>();
            try {
                for (String line : Files.readAllLines(file)) {
                    int[] ids = tokenizer.encode(json.readTree(line).asString(), false);
                    if (ids.length > 0 && ids.length <= LONGEST) {
                        source.add(ids);
                    }
                }
            } catch (IOException | JacksonException e) {
                throw new UzuException.InvalidArgument(
                        file + " is no file of prompts, a JSON string a line: " + e.getMessage(),
                        Map.of("path", file.toString()),
                        e);
            }
            if (source.isEmpty()) {
                throw new UzuException.InvalidArgument(
                        file + " has no prompt of at most " + LONGEST + " tokens", Map.of("path", file.toString()));
            }
            sources.add(source);
        }
        return of(sources, sources.isEmpty() ? 0 : share);
    }

    /**
     * @param sources user turns as token ids
     * @param share of the dialogues that begin with one of them
     */
    static Prompts of(List<List<int[]>> sources, double share) {
        return new Prompts(sources.stream().map(Deck::new).toList(), share);
    }

    /** How often all prompts together have each token. */
    int[] uses(int vocabulary) {
        int[] uses = new int[vocabulary];
        sources.forEach(source -> source.prompts.forEach(prompt -> {
            for (int token : prompt.tokens) {
                uses[token]++;
            }
        }));
        return uses;
    }

    Prompt next(RandomGenerator random) {
        if (random.nextDouble() >= share) {
            return new Prompt(new int[0], random.nextInt(HELD_OUT_ONE_IN) == 0);
        }
        return sources.get(random.nextInt(sources.size())).draw(random);
    }

    /** Leaves those out, until all others have come, with which dialogues of an earlier run began; how many there are. */
    int leaveOut(List<int[]> prompts) {
        Set<IntBuffer> known = new HashSet<>();
        prompts.forEach(prompt -> known.add(IntBuffer.wrap(prompt)));
        sources.forEach(source -> source.use(known));
        return sources.stream().mapToInt(source -> source.used).sum();
    }
}
