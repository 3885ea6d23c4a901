package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;

/**
 * What something was built from: a line for each input with its size and checksum. The thing is fresh while the line-up
 * written after its last build is the same as now.
 */
record Stamp(Path file, String inputs) {
    /** @param inputs files, or folders with all that is below them */
    static Stamp of(Workspace workspace, String name, List<Path> inputs, Object... settings) {
        StringBuilder lines = new StringBuilder();
        for (Object setting : settings) {
            lines.append(setting).append('\n');
        }
        for (Path input : inputs) {
            for (Path each : Workspace.filesBelow(input)) {
                lines.append(workspace.root().relativize(each)).append(' ');
                lines.append(sizeAndChecksum(each)).append('\n');
            }
        }
        return new Stamp(workspace.build().resolve("stamps").resolve(name), lines.toString());
    }

    boolean isFresh() {
        try {
            return Files.exists(file) && Files.readString(file).equals(inputs);
        } catch (IOException e) {
            return false;
        }
    }

    void write() {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, inputs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sizeAndChecksum(Path path) {
        try {
            byte[] content = Files.readAllBytes(path);
            CRC32 checksum = new CRC32();
            checksum.update(content);
            return content.length + " " + Long.toHexString(checksum.getValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
