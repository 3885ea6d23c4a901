package uzu.backend.cpu;

import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * How Java calls C. On a JVM that is the Foreign Function & Memory API. A native image has means of its own, which only
 * the module that makes it may name: it provides them as a service.
 */
public interface CLinker {
    /** Functions and variables of a library that stays loaded. */
    interface Symbols {
        /** The address of what goes by that name; 0 where there is nothing. */
        long find(String name);
    }

    /** @throws IllegalArgumentException saying why the library can't be loaded */
    Symbols open(Path library);

    /**
     * Calls {@code int64_t entry(int64_t operation, int64_t function, int64_t a0, …)}. All calls have this one shape,
     * since a method handle of the Foreign Function & Memory API takes 90 ms to make where it is the first and 12 where it
     * is another.
     */
    long call(
            long entry,
            long operation,
            long function,
            long a0,
            long a1,
            long a2,
            long a3,
            long a4,
            long a5,
            long a6,
            long a7,
            long a8,
            long a9,
            long a10,
            long a11,
            long a12,
            long a13,
            long a14,
            long a15,
            long a16);

    /** Of this process. */
    static CLinker here() {
        return isImage()
                ? ServiceLoader.load(CLinker.class, CLinker.class.getClassLoader())
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("the native image was made without a CLinker"))
                : new ForeignLinker();
    }

    /** Whether this code runs in a native image. */
    static boolean isImage() {
        return System.getProperty("org.graalvm.nativeimage.imagecode") != null;
    }
}
