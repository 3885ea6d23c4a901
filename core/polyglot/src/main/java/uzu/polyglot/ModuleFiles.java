package uzu.polyglot;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The files of this machine as GraalJS sees them when it imports: what an import names is found as Node.js finds it, and
 * {@code uzu} and {@code node:…} are modules of this jar. GraalJS asks for the path of a name without telling who imports,
 * so packages are those that the script itself sees.
 */
final class ModuleFiles implements FileSystem {
    private static final Path OURS = Path.of("/(uzu)").toAbsolutePath();

    private final FileSystem files = FileSystem.newDefaultFileSystem();
    private final NodePackages packages;

    ModuleFiles(NodePackages packages) {
        this.packages = packages;
    }

    @Override
    public Path parsePath(URI uri) {
        if (!"node".equals(uri.getScheme())) {
            return files.parsePath(uri);
        }
        Path builtin = builtin(uri.getSchemeSpecificPart());
        return builtin == null ? Path.of(uri.toString()) : builtin;
    }

    @Override
    public Path parsePath(String path) {
        if (path.isEmpty()
                || path.startsWith(".")
                || path.startsWith("/")
                || Path.of(path).isAbsolute()) {
            return files.parsePath(path);
        }
        if (path.equals("uzu")) {
            return OURS.resolve(JavaScript.PACKAGE);
        }
        Path found = builtin(path);
        found = found == null ? packages.resolve(path) : found;
        return found == null ? files.parsePath(path) : found;
    }

    private static @Nullable Path builtin(String name) {
        String resource = "js/node/" + name.replace('/', '-') + ".mjs";
        return Resources.has(resource) ? OURS.resolve(resource) : null;
    }

    /** The name of our module at a path; null for files. */
    private static @Nullable String ours(Path path) {
        return path.startsWith(OURS) ? OURS.relativize(path).toString().replace('\\', '/') : null;
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) throws IOException {
        String ours = ours(path);
        if (ours == null) {
            files.checkAccess(path, modes, options);
        } else if (!Resources.has(ours)) {
            throw new NoSuchFileException(path.toString());
        }
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        String ours = ours(path);
        return ours == null
                ? files.newByteChannel(path, options, attributes)
                : new BytesChannel(Resources.text(ours).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Path toRealPath(Path path, LinkOption... options) throws IOException {
        return ours(path) == null ? files.toRealPath(path, options) : path;
    }

    @Override
    public Path toAbsolutePath(Path path) {
        return files.toAbsolutePath(path);
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        files.createDirectory(path, attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return files.newDirectoryStream(path, filter);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return files.readAttributes(path, attributes, options);
    }
}
