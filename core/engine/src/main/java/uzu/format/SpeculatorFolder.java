package uzu.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder with a model's drafters. A model that is a folder has one in it. One that is a file has one of its name beside
 * it; what that lacks may lie in a {@code speculator} there, which serves all files around it as far as it fits them.
 *
 * @param shared whether what doesn't fit the model is another's, and left out; else it is an error
 */
public record SpeculatorFolder(Path path, boolean shared) {
    private static final String NAME = "speculator";

    /**
     * Those of a model, whether they exist or not, in the order in which a drafter is looked for.
     *
     * @param model a file or folder
     */
    public static List<SpeculatorFolder> of(Path model) {
        if (Files.isDirectory(model)) {
            return List.of(new SpeculatorFolder(model.resolve(NAME), false));
        }
        String name = String.valueOf(model.getFileName()).replaceFirst("\\.gguf$", "");
        return List.of(
                new SpeculatorFolder(model.resolveSibling(name + "." + NAME), false),
                new SpeculatorFolder(model.resolveSibling(NAME), true));
    }

    /** The one that takes what is trained for the model. */
    public static Path own(Path model) {
        return of(model).getFirst().path;
    }

    /** Whether a folder has a name of such, and so is no model. */
    public static boolean isOne(Path folder) {
        String name = String.valueOf(folder.getFileName());
        return name.equals(NAME) || name.endsWith("." + NAME);
    }
}
