package uzu.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.Model;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.format.HfFolder;

/** Model files by identifier or path. */
public final class Models {
    private Models() {}

    public static Checkpoint open(String identifierOrPath) {
        Path path = path(identifierOrPath);
        return Files.isDirectory(path) ? HfFolder.open(path) : Gguf.open(path);
    }

    public static Path path(String identifierOrPath) {
        Path given = Path.of(identifierOrPath);
        if (Files.exists(given)) {
            return given;
        }
        try (Engine engine = Engine.create(EngineConfig.create())) {
            Model model = engine.model(identifierOrPath);
            if (model == null) {
                throw new UzuException.ModelNotFound(
                        "no model and no file is called " + identifierOrPath, Map.of("model", identifierOrPath));
            }
            Path found = engine.modelPath(model);
            if (found == null) {
                throw new UzuException.InvalidState(
                        model.identifier() + " isn't downloaded", Map.of("model", model.identifier()));
            }
            return found;
        }
    }
}
