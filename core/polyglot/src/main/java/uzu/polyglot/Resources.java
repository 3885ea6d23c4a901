package uzu.polyglot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts beside this class: JavaScript that runs before a script's own. */
final class Resources {
    private Resources() {}

    static boolean has(String name) {
        return Resources.class.getResource(name) != null;
    }

    static String text(String name) {
        try (@Nullable InputStream stream = Resources.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("uzu's jar for polyglot programs was built without " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
