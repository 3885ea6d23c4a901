package uzu.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import uzu.UzuException;

/** A file that an option names for results. */
public final class OutputFile {
    private OutputFile() {}

    public static void write(String file, String text) {
        try {
            Files.writeString(Path.of(file), text);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(file + " can't be written: " + e, Map.of("path", file), e);
        }
    }
}
