package uzu.polyglot;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Which of the standard streams a person sits at; Java itself tells it only of all together. */
final class Terminal {
    private Terminal() {}

    static boolean is(int descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("isatty")
                .or(() -> linker.defaultLookup().find("_isatty"))
                .map(address -> {
                    FunctionDescriptor shape = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
                    try {
                        return (int) linker.downcallHandle(address, shape).invokeExact(descriptor) != 0;
                    } catch (Throwable failure) {
                        throw new IllegalStateException("isatty can't be called", failure);
                    }
                })
                .orElse(false);
    }
}
