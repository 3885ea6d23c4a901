package uzu.bridge;

import java.util.List;
import uzu.ErrorCode;
import uzu.UzuException;

/** A function of {@code uzu.h} as C calls it: by addresses. Nothing is thrown back, which would end the process. */
record CFunction(Functions.Body body, CMemory memory) {
    /** In the order of {@code uzu_table} in host.h. */
    static List<CFunction> all(Bridge bridge, CMemory memory) {
        return Functions.of(bridge).stream()
                .map(each -> new CFunction(each.body(), memory))
                .toList();
    }

    /** As {@code uzu_entry} in host.h. */
    int call(long handle, long texts, long number, long out, long error) {
        try {
            return body.run(new CArguments(memory, handle, texts, number, out));
        } catch (Throwable thrown) {
            return report(thrown, error);
        }
    }

    private int report(Throwable thrown, long error) {
        try {
            UzuException typed = Errors.of(thrown);
            if (error != 0) {
                memory.write(error, Errors.json(typed).toString());
            }
            return Errors.result(typed);
        } catch (Throwable again) {
            return -1 - ErrorCode.INTERNAL.ordinal();
        }
    }
}
