/** Model files: GGUF, safetensors, Hugging Face folders. */
@NullMarked
package uzu.format;

import org.jspecify.annotations.NullMarked;
