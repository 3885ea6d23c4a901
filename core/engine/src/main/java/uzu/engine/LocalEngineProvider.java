package uzu.engine;

import uzu.Engine;
import uzu.EngineConfig;
import uzu.EngineProvider;

/** Makes engines that run models on this machine. */
public final class LocalEngineProvider implements EngineProvider {
    @Override
    public Engine create(EngineConfig config) {
        return new LocalEngine(config);
    }
}
