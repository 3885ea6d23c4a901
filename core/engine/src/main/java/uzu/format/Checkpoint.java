package uzu.format;

import java.util.Map;

/** An open model file or folder. Closing it ends the life of its tensors' data. */
public sealed interface Checkpoint extends AutoCloseable permits Gguf, HfFolder {
    /** All tensors, by the names the file gives them. */
    Map<String, Tensor> tensors();

    /** Bytes of all tensors. */
    default long tensorBytes() {
        return tensors().values().stream().mapToLong(t -> t.data().byteSize()).sum();
    }

    @Override
    void close();
}
