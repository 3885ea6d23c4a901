package uzu.speculate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Costs in a text file: a line with name and version of the format, a line that says of what the costs are, then a
 * number a line as {@link PassCosts#state()} has them. A file that can't be read, or is of something else, is as good
 * as none; one that can't be written is measured again next time.
 */
public final class PassCostFile implements PassCostStore {
    private static final String FORMAT = "uzu pass costs 2";

    private final Path folder;
    private final String key;

    /**
     * @param folder made when it isn't there
     * @param key model and machine
     */
    public PassCostFile(Path folder, String key) {
        this.folder = folder;
        this.key = key.replaceAll("\\R", " ");
    }

    @Override
    public @Nullable PassCosts load() {
        try {
            List<String> lines = Files.readAllLines(path(), StandardCharsets.UTF_8);
            if (lines.size() < 2
                    || !lines.get(0).equals(FORMAT)
                    || !lines.get(1).equals(key)) {
                return null;
            }
            return PassCosts.of(
                    lines.stream().skip(2).mapToDouble(Double::parseDouble).toArray());
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    @Override
    public void save(PassCosts costs) {
        List<String> lines = new ArrayList<>(List.of(FORMAT, key));
        for (double value : costs.state()) {
            lines.add(Double.toString(value));
        }
        Path fresh = folder.resolve(path().getFileName() + "." + UUID.randomUUID());
        try {
            Files.createDirectories(folder);
            Files.write(fresh, lines, StandardCharsets.UTF_8);
            move(fresh);
        } catch (IOException e) {
            // Measured again next time.
            discard(fresh);
        }
    }

    private void move(Path fresh) throws IOException {
        try {
            Files.move(fresh, path(), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(fresh, path(), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void discard(Path fresh) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            // As little harm as room.
        }
    }

    private Path path() {
        String name =
                UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
        return folder.resolve(name + ".txt");
    }
}
