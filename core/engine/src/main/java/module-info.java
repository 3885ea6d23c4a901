/**
 * The engine: models, kernels, decoding. Programs use {@link uzu}; the bridge and the app see the rest on the class
 * path.
 */
module uzu.engine {
    requires transitive org.jspecify;
    requires tools.jackson.databind;
    requires static jdk.incubator.vector;

    exports uzu;

    uses uzu.EngineProvider;
    uses uzu.backend.cpu.CLinker;
    uses uzu.backend.cpu.RawMemory;

    provides uzu.EngineProvider with
            uzu.engine.LocalEngineProvider;
}
