package uzu.format;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Files of the test resources. */
final class Resource {
    private Resource() {}

    static Path path(String name) {
        try {
            return Path.of(Objects.requireNonNull(Resource.class.getResource("/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
