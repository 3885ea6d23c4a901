package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;

/** libuzu with all that it needs, Java among it, in a folder outside the repository, where programs in Swift and C look. */
record InstalledLibrary(Workspace workspace, Path folder) {
    /** Below the home folder, where the Swift package looks by itself. */
    static Path usual() {
        return Path.of(System.getProperty("user.home"), ".local/lib/uzu");
    }

    void install() {
        String name = System.mapLibraryName("uzu");
        // What was there goes, so it had better be ours.
        if (!Workspace.filesBelow(folder).isEmpty() && !Files.isRegularFile(folder.resolve(name))) {
            throw new Failure(folder + " holds other files than uzu's library: name an empty folder or a new one");
        }
        Path stage = workspace.build().resolve("library");
        new NativeFolder(workspace, "library", stage).ensure();
        Workspace.delete(folder);
        Workspace.copy(stage, folder);
        new BundledRuntime(workspace).putInto(folder);
        Progress.say("installed " + folder.resolve(name));
    }
}
