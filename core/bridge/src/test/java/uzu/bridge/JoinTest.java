package uzu.bridge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** libuzu inside a process that has a JVM already, this one. */
class JoinTest {
    private final Linker linker = Linker.nativeLinker();

    @Test
    void theLibraryJoinsTheJvmThatRuns() throws Throwable {
        Path path = Path.of("target/native").resolve(System.mapLibraryName("uzu"));
        assumeTrue(Files.exists(path), "libuzu isn't built");
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup(path.toAbsolutePath(), Arena.global());
            MethodHandle setenv = function(linker.defaultLookup(), "setenv", ADDRESS, ADDRESS, JAVA_INT);
            assertEquals(0, (int) setenv.invokeExact(
                    arena.allocateFrom("UZU_CLASSPATH"), arena.allocateFrom(System.getProperty("java.class.path")), 1));

            MemorySegment engine = arena.allocate(JAVA_LONG);
            MemorySegment models = arena.allocate(16);
            MemorySegment error = arena.allocate(16);
            MethodHandle create = function(library, "uzu_engine_create", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
            int created = (int) create.invokeExact(arena.allocateFrom("{\"offline\":true}"), -1L, engine, error);
            assertEquals(0, created, () -> text(error));

            MethodHandle list = function(library, "uzu_engine_models", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
            int listed = (int) list.invokeExact(engine.get(JAVA_LONG, 0), MemorySegment.NULL, 0L, models, error);
            assertEquals(0, listed, () -> text(error));
            assertTrue(text(models).startsWith("["), () -> text(models));

            MethodHandle close = function(library, "uzu_handle_close", JAVA_LONG, ADDRESS);
            assertEquals(0, (int) close.invokeExact(engine.get(JAVA_LONG, 0), error));
        }
    }

    private MethodHandle function(SymbolLookup lookup, String name, java.lang.foreign.MemoryLayout... arguments) {
        return linker.downcallHandle(lookup.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static String text(MemorySegment string) {
        long length = string.get(JAVA_LONG, 8);
        byte[] bytes = string.get(ADDRESS, 0).reinterpret(length).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
