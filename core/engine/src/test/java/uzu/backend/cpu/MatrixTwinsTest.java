package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.UzuException;

class MatrixTwinsTest {
    @ParameterizedTest
    @EnumSource
    void kernelsAreThereOrAreRefusedByName(CpuOptions.Kernels kernels) {
        try {
            MatrixKernels chosen = MatrixTwins.choose(kernels);
            NativeTwin.of(kernels).ifPresent(twin -> assertEquals(twin.suffix, chosen.description()));
        } catch (UzuException.InvalidArgument e) {
            assertEquals(kernels.name(), e.details().get("kernels"));
            assertTrue(e.getMessage().startsWith("kernels " + kernels + " can't be used: "), e.getMessage());
        }
    }

    @Test
    void theFirstTwinThatRunsHereIsTheBest() {
        Optional<NativeTwin> first = NativeLibrary.loaded()
                .flatMap(library -> Stream.of(NativeTwin.values())
                        .filter(twin -> twin.isIn(library))
                        .findFirst());
        String expected = first.map(twin -> twin.suffix).orElse("scalar");
        assertEquals(expected, MatrixTwins.choose(CpuOptions.Kernels.AUTO).description());
    }
}
