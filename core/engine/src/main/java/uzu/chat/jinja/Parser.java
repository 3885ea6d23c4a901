package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.chat.jinja.Expression.FilterCall;
import uzu.chat.jinja.Statement.Branch;
import uzu.chat.jinja.Statement.MacroBody;
import uzu.chat.jinja.Statement.Parameter;
import uzu.chat.jinja.Statement.Target;
import uzu.chat.jinja.Token.Kind;

/** Statements: {@code {% … %}}, {@code {{ … }}} and the text between. */
final class Parser {
    private static final Set<String> RESERVED = Set.of("true", "false", "none", "True", "False", "None");

    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private int loops;

    private Parser(TokenStream tokens) {
        this.tokens = tokens;
        this.expressions = new ExpressionParser(tokens);
    }

    static List<Statement> parse(String source, Limits limits) {
        var parser = new Parser(new TokenStream(Lexer.tokens(source), limits.nesting()));
        return parser.block(Set.of());
    }

    /** Statements up to one of the tags {@code ends}, which is left as the current token; up to the end if empty. */
    private List<Statement> block(Set<String> ends) {
        tokens.enter();
        var statements = new ArrayList<Statement>();
        while (true) {
            Token token = tokens.current();
            switch (token.kind()) {
                case DATA -> statements.add(new Statement.Data(tokens.next().text(), token.line()));
                case VARIABLE_BEGIN -> {
                    tokens.next();
                    statements.add(new Statement.Print(expressions.tuple(), token.line()));
                    tokens.expect(Kind.VARIABLE_END);
                }
                case BLOCK_BEGIN -> {
                    tokens.next();
                    if (tokens.current().kind() == Kind.NAME
                            && ends.contains(tokens.current().text())) {
                        tokens.leave();
                        return statements;
                    }
                    statements.add(statement());
                }
                case END -> {
                    if (!ends.isEmpty()) {
                        throw tokens.fail("Unexpected end of template. Jinja was looking for the following tags: "
                                + String.join(" or ", ends.stream().sorted().toList()));
                    }
                    tokens.leave();
                    return statements;
                }
                default -> throw tokens.fail("unexpected " + token.described());
            }
        }
    }

    private List<Statement> blockTo(String end) {
        List<Statement> body = block(Set.of(end));
        tokens.expectName(end);
        tokens.expect(Kind.BLOCK_END);
        return body;
    }

    private Statement statement() {
        int line = tokens.current().line();
        String tag = tokens.name();
        return switch (tag) {
            case "if" -> conditional(line);
            case "for" -> loop(line);
            case "set" -> set(line);
            case "macro" -> macro(line);
            case "call" -> call(line);
            case "filter" -> filterBlock(line);
            case "with" -> with(line);
            case "generation" -> {
                tokens.expect(Kind.BLOCK_END);
                yield new Statement.Generation(outsideLoops("endgeneration"), line);
            }
            case "break" -> {
                leavesLoop(tag);
                yield new Statement.Break(line);
            }
            case "continue" -> {
                leavesLoop(tag);
                yield new Statement.Continue(line);
            }
            default -> throw TemplateError.at(line, "Encountered unknown tag '" + tag + "'.");
        };
    }

    private void leavesLoop(String tag) {
        if (loops == 0) {
            throw tokens.fail("'" + tag + "' outside loop");
        }
        tokens.expect(Kind.BLOCK_END);
    }

    /** A body that is a function of its own in jinja2, so that {@code break} cannot leave it. */
    private List<Statement> outsideLoops(String end) {
        int outer = loops;
        loops = 0;
        List<Statement> body = blockTo(end);
        loops = outer;
        return body;
    }

    private Statement conditional(int line) {
        var branches = new ArrayList<Branch>();
        List<Statement> otherwise = List.of();
        int branchLine = line;
        while (true) {
            Expression test = expressions.condition();
            tokens.expect(Kind.BLOCK_END);
            branches.add(new Branch(test, block(Set.of("elif", "else", "endif")), branchLine));
            branchLine = tokens.current().line();
            if (tokens.skipName("elif")) {
                continue;
            }
            if (tokens.skipName("else")) {
                tokens.expect(Kind.BLOCK_END);
                otherwise = block(Set.of("endif"));
            }
            tokens.expectName("endif");
            tokens.expect(Kind.BLOCK_END);
            return new Statement.If(branches, otherwise, line);
        }
    }

    private Statement loop(int line) {
        Target target = target();
        tokens.expectName("in");
        Expression items = expressions.loopItems();
        Expression condition = tokens.skipName("if") ? expressions.expression() : null;
        boolean recursive = tokens.skipName("recursive");
        tokens.expect(Kind.BLOCK_END);
        loops++;
        List<Statement> body = block(Set.of("endfor", "else"));
        loops--;
        List<Statement> otherwise = List.of();
        if (tokens.skipName("else")) {
            tokens.expect(Kind.BLOCK_END);
            otherwise = block(Set.of("endfor"));
        }
        tokens.expectName("endfor");
        tokens.expect(Kind.BLOCK_END);
        return new Statement.For(target, items, condition, body, otherwise, recursive, line);
    }

    private Statement set(int line) {
        Target target = target();
        if (tokens.skipOperator("=")) {
            Expression value = expressions.tuple();
            tokens.expect(Kind.BLOCK_END);
            return new Statement.Set(target, value, line);
        }
        List<FilterCall> filters = tokens.skipOperator("|") ? filters() : List.of();
        tokens.expect(Kind.BLOCK_END);
        return new Statement.SetBlock(target, filters, blockTo("endset"), line);
    }

    private List<FilterCall> filters() {
        var filters = new ArrayList<FilterCall>();
        do {
            filters.add(expressions.filter());
        } while (tokens.skipOperator("|"));
        return filters;
    }

    private Target target() {
        var targets = new ArrayList<Target>();
        boolean isTuple = false;
        tokens.enter();
        while (!tokens.current().isName("in") && !tokens.current().isOperator("=")) {
            targets.add(singleTarget());
            if (!tokens.skipOperator(",")) {
                break;
            }
            isTuple = true;
        }
        tokens.leave();
        if (targets.isEmpty()) {
            throw tokens.expected("a name");
        }
        return isTuple ? new Target.Unpack(targets) : targets.getFirst();
    }

    private Target singleTarget() {
        if (tokens.skipOperator("(")) {
            Target inner = target();
            tokens.expectOperator(")");
            return inner;
        }
        String name = assignable();
        return tokens.skipOperator(".") ? new Target.Field(name, tokens.name()) : new Target.Variable(name);
    }

    private String assignable() {
        String name = tokens.name();
        if (RESERVED.contains(name)) {
            throw tokens.fail("can't assign to '" + name + "'");
        }
        return name;
    }

    private Statement macro(int line) {
        String name = assignable();
        return new Statement.Define(macroBody(name, "endmacro", null, line), line);
    }

    private Statement call(int line) {
        List<Parameter> parameters = tokens.current().isOperator("(") ? parameters() : List.of();
        if (!(expressions.expression() instanceof Expression.Call call)) {
            throw tokens.fail("expected call");
        }
        return new Statement.CallBlock(call, macroBody("caller", "endcall", parameters, line), line);
    }

    private MacroBody macroBody(String name, String end, @Nullable List<Parameter> given, int line) {
        List<Parameter> parameters = given == null ? parameters() : given;
        tokens.expect(Kind.BLOCK_END);
        Set<String> outer = tokens.collectNames();
        List<Statement> body = outsideLoops(end);
        Set<String> names = tokens.namesSince(outer);
        var declared = new HashSet<String>();
        parameters.forEach(parameter -> declared.add(parameter.name()));
        return new MacroBody(
                name,
                parameters,
                body,
                names.contains("caller") && !declared.contains("caller"),
                names.contains("varargs") && !declared.contains("varargs"),
                names.contains("kwargs") && !declared.contains("kwargs"),
                line);
    }

    private List<Parameter> parameters() {
        tokens.expectOperator("(");
        var parameters = new ArrayList<Parameter>();
        while (!tokens.skipOperator(")")) {
            if (!parameters.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator(")")) {
                    break;
                }
            }
            String name = assignable();
            if (tokens.skipOperator("=")) {
                parameters.add(new Parameter(name, expressions.expression()));
            } else if (!parameters.isEmpty() && parameters.getLast().fallback() != null) {
                throw tokens.fail("non-default argument follows default argument");
            } else {
                parameters.add(new Parameter(name, null));
            }
        }
        return parameters;
    }

    private Statement filterBlock(int line) {
        List<FilterCall> filters = filters();
        tokens.expect(Kind.BLOCK_END);
        return new Statement.FilterBlock(filters, blockTo("endfilter"), line);
    }

    private Statement with(int line) {
        var targets = new ArrayList<Target>();
        var values = new ArrayList<Expression>();
        while (tokens.current().kind() != Kind.BLOCK_END) {
            if (!targets.isEmpty()) {
                tokens.expectOperator(",");
            }
            targets.add(singleTarget());
            tokens.expectOperator("=");
            values.add(expressions.expression());
        }
        tokens.expect(Kind.BLOCK_END);
        return new Statement.With(targets, values, blockTo("endwith"), line);
    }
}
