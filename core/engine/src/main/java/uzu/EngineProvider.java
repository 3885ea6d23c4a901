package uzu;

/** How {@link Engine#create(EngineConfig)} finds its implementation, through {@link java.util.ServiceLoader}. */
public interface EngineProvider {
    Engine create(EngineConfig config);
}
