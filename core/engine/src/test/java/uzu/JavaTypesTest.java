package uzu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Java types as schemas, values and tools. */
class JavaTypesTest {
    enum Unit {
        CELSIUS,
        FAHRENHEIT;

        @Override
        public String toString() {
            return "in " + name();
        }
    }

    record Weather(
            @UzuParameter("The city's name.") String city,
            int days,
            Unit unit,
            Optional<Double> latitude,
            @Nullable String comment,
            List<LocalDate> dates,
            Map<String, Boolean> flags) {}

    @Test
    void recordsAreObjectsInTheOrderOfTheirComponents() {
        assertEquals(
                "{'type':'object','properties':{"
                        + "'city':{'description':'The city\\'s name.','type':'string'},"
                        + "'days':{'type':'integer','minimum':-2147483648,'maximum':2147483647},"
                        + "'unit':{'type':'string','enum':['CELSIUS','FAHRENHEIT']},"
                        + "'latitude':{'type':['number','null']},"
                        + "'comment':{'type':['string','null']},"
                        + "'dates':{'type':'array','items':{'type':'string','format':'date'}},"
                        + "'flags':{'type':'object','additionalProperties':{'type':'boolean'}}},"
                        + "'required':['city','days','unit','dates','flags'],'additionalProperties':false}",
                schema(Grammar.fromType(Weather.class)));
        Weather read = message("{\"city\": \"Zug\", \"days\": 2, \"unit\": \"CELSIUS\", \"latitude\": 47.2,"
                        + " \"dates\": [\"2026-11-30\"], \"flags\": {\"dry\": true}}")
                .textDecoded(Weather.class);
        assertEquals(
                new Weather(
                        "Zug",
                        2,
                        Unit.CELSIUS,
                        Optional.of(47.2),
                        null,
                        List.of(LocalDate.of(2026, 11, 30)),
                        Map.of("dry", true)),
                read);
    }

    static final class Plain {
        private String first = "";

        @JsonProperty("second_one")
        public long second;

        String first() {
            return first;
        }
    }

    @Test
    void classesAreWhatJacksonSees() {
        assertEquals(
                "{'type':'object','properties':{'first':{'type':'string'},'second_one':{'type':'integer',"
                        + "'minimum':-9223372036854775808,'maximum':9223372036854775807}},"
                        + "'required':['first','second_one'],'additionalProperties':false}",
                schema(Grammar.fromType(Plain.class)));
        Plain read = message("{\"first\": \"a\", \"second_one\": 3}").textDecoded(Plain.class);
        assertEquals("a", read.first());
        assertEquals(3, read.second);
    }

    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Rectangle(double width, double height) implements Shape {}
    }

    record Drawing(String title, List<Shape> shapes) {}

    @Test
    void sealedTypesAreToldApartByTheirNames() {
        assertEquals(
                "{'anyOf':[{'type':'object','properties':{'type':{'const':'Circle'},'radius':{'type':'number'}},"
                        + "'required':['type','radius'],'additionalProperties':false},"
                        + "{'type':'object','properties':{'type':{'const':'Rectangle'},'width':{'type':'number'},"
                        + "'height':{'type':'number'}},'required':['type','width','height'],"
                        + "'additionalProperties':false}]}",
                schema(Grammar.fromType(Shape.class)));
        Drawing drawing = message(
                        "{\"title\": \"a\", \"shapes\": [{\"type\": \"Rectangle\", \"width\": 1, \"height\": 2},"
                                + " {\"type\": \"Circle\", \"radius\": 3}]}")
                .textDecoded(Drawing.class);
        assertEquals(new Drawing("a", List.of(new Shape.Rectangle(1, 2), new Shape.Circle(3))), drawing);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Dog.class, name = "dog"),
        @JsonSubTypes.Type(value = Cat.class, name = "cat")
    })
    interface Animal {}

    record Dog(String name) implements Animal {}

    record Cat(int lives) implements Animal {}

    @Test
    void annotatedTypesHaveTheirOwnNames() {
        String schema = schema(Grammar.fromType(Animal.class));
        assertTrue(schema.contains("'kind':{'const':'dog'},'name'"), schema);
        assertTrue(schema.contains("'kind':{'const':'cat'},'lives'"), schema);
        assertEquals(new Cat(9), message("{\"kind\": \"cat\", \"lives\": 9}").textDecoded(Animal.class));
    }

    record Tree(int value, List<Tree> branches, @Nullable Tree twin) {}

    record Forest(Tree first, Tree second) {}

    @Test
    void aTypeThatHoldsItselfIsADefinition() {
        assertEquals(
                "{'type':'object','properties':{'first':{'$ref':'#/$defs/Tree'},'second':{'$ref':'#/$defs/Tree'}},"
                        + "'required':['first','second'],'additionalProperties':false,"
                        + "'$defs':{'Tree':{'type':'object','properties':{"
                        + "'value':{'type':'integer','minimum':-2147483648,'maximum':2147483647},"
                        + "'branches':{'type':'array','items':{'$ref':'#/$defs/Tree'}},"
                        + "'twin':{'anyOf':[{'$ref':'#/$defs/Tree'},{'type':'null'}]}},"
                        + "'required':['value','branches'],'additionalProperties':false}}}",
                schema(Grammar.fromType(Forest.class)));
    }

    @Test
    void listsOfAType() {
        assertEquals(
                "{'type':'array','items':{'type':'string','enum':['CELSIUS','FAHRENHEIT']}}",
                schema(Grammar.fromListOf(Unit.class)));
        assertEquals(List.of(Unit.FAHRENHEIT), message("[\"FAHRENHEIT\"]").textDecodedList(Unit.class));
    }

    @Test
    void whatNoSchemaDescribesIsRefused() {
        assertThrows(UzuException.InvalidArgument.class, () -> Grammar.fromType(Runnable.class));
    }

    @Test
    void aTextThatIsNoSuchValueIsATypedError() {
        assertThrows(
                UzuException.InvalidArgument.class,
                () -> message("{\"radius\": true}").textDecoded(Dog.class));
        assertThrows(
                UzuException.InvalidArgument.class, () -> message("not JSON").textDecoded(Dog.class));
        assertNull(ChatMessage.assistant().textDecoded(Dog.class));
    }

    record Report(String city, int degrees, List<String> notes) {}

    @Test
    void aValueIsReadableWhileItIsWritten() {
        String text = "{\"city\": \"Zug\", \"degrees\": 21, \"notes\": [\"dry\", \"win";
        assertNull(message("").textDecodedPartially(Report.class));
        assertEquals(new Report(null, 0, null), message("{\"ci").textDecodedPartially(Report.class));
        assertEquals(new Report("Zu", 0, null), message(text.substring(0, 12)).textDecodedPartially(Report.class));
        assertEquals(new Report("Zug", 21, List.of("dry", "win")), message(text).textDecodedPartially(Report.class));
        for (int end = 1; end < text.length(); end++) {
            message(text.substring(0, end)).textDecodedPartially(Report.class);
        }
    }

    record Cities(List<String> names) {}

    @Test
    void aToolOfATypeReadsArgumentsAndWritesResults() throws Exception {
        ToolFunction tool = ToolFunction.of(
                "count",
                "Counts cities.",
                Cities.class,
                cities -> Map.of("count", cities.names().size()));
        assertEquals("count", tool.declaration().name());
        assertEquals("{\"count\":2}", tool.call("{\"names\": [\"Zug\", \"Bern\"]}", CancelToken.create()));
    }

    static final class Methods {
        @UzuTool(description = "Where the user is.")
        public String location() {
            return "Zug";
        }

        @UzuTool(name = "weather", description = "How it is.")
        public Map<String, Object> weatherOf(
                @UzuParameter("The city's name.") String city, @Nullable Unit unit, CancelToken cancel) {
            return Map.of("city", city + (unit == null ? "" : unit.name()) + cancel.isCancelled());
        }

        @UzuTool
        public void broken(@UzuParameter(name = "why") String reason) {
            throw new IllegalStateException(reason);
        }
    }

    @Test
    void markedMethodsAreTools() throws Exception {
        List<ToolFunction> tools = ToolFunction.ofMethods(new Methods());
        assertEquals(
                List.of("broken", "location", "weather"),
                tools.stream().map(tool -> tool.declaration().name()).toList());
        ToolFunction weather = tools.getLast();
        assertEquals(
                "{'type':'object','properties':{'city':{'description':'The city\\'s name.','type':'string'},"
                        + "'unit':{'anyOf':[{'type':'string','enum':['CELSIUS','FAHRENHEIT']},{'type':'null'}]}},"
                        + "'required':['city'],'additionalProperties':false}",
                weather.declaration().parameters().replace("'", "\\'").replace('"', '\''));
        assertEquals("{\"city\":\"Zugfalse\"}", weather.call("{\"city\": \"Zug\"}", CancelToken.create()));
        assertEquals("\"Zug\"", tools.get(1).call("{}", CancelToken.create()));
        Exception error = assertThrows(
                IllegalStateException.class, () -> tools.getFirst().call("{\"why\": \"so\"}", CancelToken.create()));
        assertEquals("so", error.getMessage());
        assertThrows(UzuException.InvalidArgument.class, () -> ToolFunction.ofMethods("no tools"));
    }

    private static String schema(Grammar.JsonSchema grammar) {
        return grammar.schema().replace("'", "\\'").replace('"', '\'');
    }

    private static ChatMessage message(String text) {
        return ChatMessage.assistant().withText(text);
    }
}
