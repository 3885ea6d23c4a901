package uzu.backend.cpu;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A library of kernels for another processor, run by an emulator: {@code call_kernels.c} at the other end of a pipe,
 * which ends when this process does. What a function reads and writes travels with each call.
 */
final class EmulatedKernels {
    /** An integer argument, or memory at an address that the function reads, or writes too. */
    record Argument(int kind, long value, long bytes, int alignment) {
        static Argument of(long value) {
            return new Argument(0, value, 0, 0);
        }

        /** Null when there is no address. */
        static Argument read(long address, long bytes, int alignment) {
            return address == 0 ? of(0) : new Argument(1, address, bytes, alignment);
        }

        /** What the function writes, again. */
        static Argument same() {
            return new Argument(3, 0, 0, 0);
        }

        static Argument written(long address, long bytes, int alignment) {
            return new Argument(2, address, bytes, alignment);
        }
    }

    private final Process process;
    private final OutputStream to;
    private final InputStream from;

    EmulatedKernels(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        to = new BufferedOutputStream(process.getOutputStream(), 1 << 20);
        from = new BufferedInputStream(process.getInputStream(), 1 << 20);
    }

    /** Calls a function without a result; its arguments are those of its declaration, integers and pointers apart. */
    synchronized void call(String function, List<Argument> integers, float... floats) {
        try {
            byte[] name = function.getBytes(StandardCharsets.US_ASCII);
            to.write(bytes(4).putInt(name.length).array());
            to.write(name);
            to.write(bytes(4).putInt(integers.size()).array());
            for (Argument argument : integers) {
                send(argument);
            }
            ByteBuffer numbers = bytes(4 + 4 * floats.length).putInt(floats.length);
            for (float number : floats) {
                numbers.putFloat(number);
            }
            to.write(numbers.array());
            to.flush();
            for (Argument argument : integers) {
                if (argument.kind == 2) {
                    byte[] content = from.readNBytes(Math.toIntExact(argument.bytes));
                    if (content.length < argument.bytes) {
                        throw new IOException("the emulated " + function + " has died, status " + process.waitFor());
                    }
                    MemorySegment.copy(content, 0, Memory.ALL, ValueLayout.JAVA_BYTE, argument.value, content.length);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void send(Argument argument) throws IOException {
        if (argument.kind == 0 || argument.kind == 3) {
            to.write(bytes(16).putLong(argument.kind).putLong(argument.value).array());
            return;
        }
        to.write(bytes(24)
                .putLong(argument.kind)
                .putLong(argument.bytes)
                .putLong(argument.alignment)
                .array());
        to.write(Memory.ALL.asSlice(argument.value, argument.bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }
}
