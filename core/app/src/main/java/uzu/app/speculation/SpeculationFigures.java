package uzu.app.speculation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;
import uzu.app.Machine;
import uzu.app.OutputFile;

/**
 * All that was measured, in the file that a run goes on with.
 *
 * @param tokens most tokens of a reply
 */
record SpeculationFigures(Machine machine, int tokens, List<ModelFigures> models) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    SpeculationFigures {
        models = List.copyOf(models);
    }

    /** What the file has, or nothing yet; a file of another state of the repository is refused. */
    static SpeculationFigures in(String file, Machine machine, int tokens) {
        if (file.isEmpty() || !Files.exists(Path.of(file))) {
            return new SpeculationFigures(machine, tokens, List.of());
        }
        SpeculationFigures found = read(file);
        if (found.tokens != tokens
                || !found.machine.processor().equals(machine.processor())
                || !found.machine.revision().equals(machine.revision())) {
            throw new UzuException.InvalidArgument(
                    "%s was begun on %s, %s tokens, revision %s; this is %s, %s tokens, revision %s"
                            .formatted(
                                    file,
                                    found.machine.processor(),
                                    found.tokens,
                                    found.machine.revision(),
                                    machine.processor(),
                                    tokens,
                                    machine.revision()),
                    Map.of("path", file));
        }
        return found;
    }

    static SpeculationFigures read(String file) {
        try {
            return JSON.readValue(Files.readString(Path.of(file)), SpeculationFigures.class);
        } catch (IOException | JacksonException e) {
            throw new UzuException.InvalidArgument(file + " can't be read: " + e, Map.of("path", file), e);
        }
    }

    Optional<ModelFigures> of(String file, int threads) {
        return models.stream()
                .filter(model -> model.file().equals(file) && model.threads() == threads)
                .findFirst();
    }

    SpeculationFigures with(ModelFigures figures) {
        List<ModelFigures> all = new ArrayList<>(models);
        int place = 0;
        while (place < all.size()
                && !(all.get(place).file().equals(figures.file())
                        && all.get(place).threads() == figures.threads())) {
            place++;
        }
        if (place == all.size()) {
            all.add(figures);
        } else {
            all.set(place, figures);
        }
        return new SpeculationFigures(machine, tokens, all);
    }

    void write(String file) {
        OutputFile.write(file, JSON.writeValueAsString(this) + "\n");
    }
}
