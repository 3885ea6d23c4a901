package uzu.polyglot;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
 * {@code uzu} and {@code node:…} are modules of this jar. GraalJS takes every name for a path from the importing file's
 * folder on; one at which no file is is a package's.
 */
final class ModuleFiles implements FileSystem {
    private static final Path OURS = Path.of("/(uzu)").toAbsolutePath();

    private final FileSystem files = FileSystem.newDefaultFileSystem();
    private final NodePackages packages;
    private final CommonJs commonJs;

    ModuleFiles(NodePackages packages, CommonJs commonJs) {
        this.packages = packages;
        this.commonJs = commonJs;
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
        return files.parsePath(path);
    }

    /** The module of this jar that scripts know by a name. */
    static @Nullable Path builtin(String name) {
        if (name.equals("uzu")) {
            return OURS.resolve(JavaScript.PACKAGE);
        }
        String resource = "js/node/" + name.replace('/', '-') + ".mjs";
        return Resources.has(resource) ? OURS.resolve(resource) : null;
    }

    /** The name of our module at a path; null for files. */
    private static @Nullable String ours(Path path) {
        return path.startsWith(OURS) ? OURS.relativize(path).toString().replace('\\', '/') : null;
    }

    /** A package's file for a path at which none is; the folder of who asks is one of those above, and isn't told. */
    private Path located(Path path) {
        if (ours(path) != null || Files.isRegularFile(path)) {
            return path;
        }
        for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder)) {
                String name = folder.relativize(path).toString().replace('\\', '/');
                Path builtin = builtin(name);
                Path found = builtin == null ? packages.resolve(name, folder, NodePackages.Kind.IMPORT) : builtin;
                if (found != null) {
                    return found;
                }
            }
        }
        return path;
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) throws IOException {
        Path located = located(path);
        String ours = ours(located);
        if (ours == null) {
            files.checkAccess(located, modes, options);
        } else if (!Resources.has(ours)) {
            throw new NoSuchFileException(path.toString());
        }
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        String ours = ours(path);
        if (ours != null) {
            return new BytesChannel(Resources.text(ours).getBytes(StandardCharsets.UTF_8));
        }
        return packages.isCommonJs(path)
                ? new BytesChannel(commonJs.asModule(path).getBytes(StandardCharsets.UTF_8))
                : files.newByteChannel(path, options, attributes);
    }

    @Override
    public Path toRealPath(Path path, LinkOption... options) throws IOException {
        Path located = located(path);
        return ours(located) == null ? files.toRealPath(located, options) : located;
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
