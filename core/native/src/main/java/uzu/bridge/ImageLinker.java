package uzu.bridge;

import java.nio.file.Path;
import org.graalvm.nativeimage.c.function.CFunction;
import org.graalvm.nativeimage.c.function.CFunctionPointer;
import org.graalvm.nativeimage.c.function.InvokeCFunctionPointer;
import org.graalvm.nativeimage.c.type.CCharPointer;
import org.graalvm.nativeimage.c.type.CTypeConversion;
import org.graalvm.nativeimage.c.type.VoidPointer;
import org.graalvm.word.WordFactory;
import uzu.backend.cpu.CLinker;

/** C by a native image's own means. */
public final class ImageLinker implements CLinker {
    /** RTLD_NOW, on Linux and macOS. */
    private static final int NOW = 2;

    /** {@code uzu_k_call} of kernels.h. */
    private interface Entry extends CFunctionPointer {
        // With the transition that lets the collector run meanwhile: a kernel may take a millisecond.
        @InvokeCFunctionPointer
        long call(long operation, long function, long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long a10, long a11, long a12, long a13, long a14, long a15, long a16);
    }

    @CFunction("dlopen")
    private static native VoidPointer dlopen(CCharPointer file, int mode);

    @CFunction("dlsym")
    private static native VoidPointer dlsym(VoidPointer library, CCharPointer symbol);

    @CFunction("dlerror")
    private static native CCharPointer dlerror();

    @Override
    public Symbols open(Path library) {
        VoidPointer opened;
        try (CTypeConversion.CCharPointerHolder path =
                CTypeConversion.toCString(library.toAbsolutePath().toString())) {
            opened = dlopen(path.get(), NOW);
        }
        if (opened.isNull()) {
            throw new IllegalArgumentException(CTypeConversion.toJavaString(dlerror()));
        }
        long address = opened.rawValue();
        return name -> find(address, name);
    }

    private static long find(long library, String name) {
        try (CTypeConversion.CCharPointerHolder symbol = CTypeConversion.toCString(name)) {
            return dlsym(WordFactory.pointer(library), symbol.get()).rawValue();
        }
    }

    @Override
    public long call(long entry, long operation, long function, long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long a10, long a11, long a12, long a13, long a14, long a15, long a16) {
        Entry pointer = WordFactory.pointer(entry);
        return pointer.call(operation, function, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16);
    }
}
