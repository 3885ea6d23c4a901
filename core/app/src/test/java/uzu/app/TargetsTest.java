package uzu.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetsTest {
    @Test
    void aModelIsKnownByItsFile() {
        Targets targets = Targets.of("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf").orElseThrow();
        assertEquals(Optional.of(1.0), targets.ratio(new Measure.Decode(128)));
        assertEquals(Optional.of(1.1), targets.ratio(new Measure.Decode(4096)));
        assertEquals(Optional.of(3.0), targets.ratio(new Measure.Rows(8, 128)));
        assertEquals(Optional.of(2.0), targets.ratio(new Measure.Prefill(512)));
    }

    @Test
    void otherMeasuresAndModelsHaveNone() {
        Targets targets = Targets.of("SmolLM2-135M-Instruct.Q4_1.gguf").orElseThrow();
        assertEquals(Optional.empty(), targets.ratio(new Measure.Rows(4, 128)));
        assertEquals(Optional.empty(), targets.ratio(new Measure.Prefill(128)));
        assertEquals(Optional.empty(), Targets.of("other-7b.gguf"));
    }
}
