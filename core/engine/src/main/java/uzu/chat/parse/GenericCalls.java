package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import uzu.grammar.Syntax;

/** The calls that {@link GenericTools} teaches a model whose template knows no tools: those of Hermes. */
final class GenericCalls implements CallFormat {
    private final HermesCalls hermes = new HermesCalls();

    @Override
    public List<String> markers() {
        return hermes.markers();
    }

    @Override
    public Part calls(String marker, Part after) {
        return hermes.calls(marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return hermes.call(arguments);
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return hermes.section(call, parallel);
    }

    @Override
    public Set<String> visible() {
        return hermes.visible();
    }

    @Override
    public boolean mayBeBare() {
        return hermes.mayBeBare();
    }

    @Override
    public Syntax bare(CallArguments arguments) {
        return hermes.bare(arguments);
    }
}
