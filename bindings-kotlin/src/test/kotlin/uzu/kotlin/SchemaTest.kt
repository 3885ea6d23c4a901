package uzu.kotlin

import com.networknt.schema.InputFormat
import com.networknt.schema.SchemaRegistry
import com.networknt.schema.SpecificationVersion
import kotlinx.serialization.Contextual
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.serializer
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import java.util.Date
import kotlin.test.assertEquals
import kotlin.test.assertTrue

/** JSON schemas of serializable types. */
class SchemaTest {
    private inline fun <reified T> schema(): String = Grammar.fromType<T>().schema

    private inline fun <reified T> assertSchema(expected: String) =
        assertEquals(Json.parseToJsonElement(expected), Json.parseToJsonElement(schema<T>()))

    @Serializable
    data class Scalars(val text: String, val whole: Int, val real: Double, val yes: Boolean, val letter: Char)

    @Test
    fun aClassIsAnObjectOfItsProperties() = assertSchema<Scalars>(
        """{"type": "object", "properties": {
            "text": {"type": "string"},
            "whole": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
            "real": {"type": "number"},
            "yes": {"type": "boolean"},
            "letter": {"type": "string", "minLength": 1, "maxLength": 1}},
            "required": ["text", "whole", "real", "yes", "letter"], "additionalProperties": false}""",
    )

    @Serializable
    data class Optional(val needed: String?, val given: String = "x", val both: List<String>? = null)

    @Test
    fun whatIsNullableOrHasADefaultMayBeLeftOut() = assertSchema<Optional>(
        """{"type": "object", "properties": {
            "needed": {"type": ["string", "null"]},
            "given": {"type": "string"},
            "both": {"type": ["array", "null"], "items": {"type": "string"}}},
            "required": [], "additionalProperties": false}""",
    )

    @Serializable
    @UzuParameter("A town.")
    data class Town(@UzuParameter("In English.") val name: String, @SerialName("mayor_name") val mayor: String)

    @Test
    fun descriptionsAndNamesComeFromAnnotations() = assertSchema<Town>(
        """{"description": "A town.", "type": "object", "properties": {
            "name": {"description": "In English.", "type": "string"}, "mayor_name": {"type": "string"}},
            "required": ["name", "mayor_name"], "additionalProperties": false}""",
    )

    @Serializable
    enum class Color {
        Red,

        @SerialName("dark green")
        Green,
    }

    @Test
    fun anEnumIsItsNames() = assertSchema<Color?>(
        """{"anyOf": [{"type": "string", "enum": ["Red", "dark green"]}, {"type": "null"}]}""",
    )

    @Test
    fun mapsHaveTheirKeysByKind() {
        assertSchema<Map<String, Boolean>>("""{"type": "object", "additionalProperties": {"type": "boolean"}}""")
        assertSchema<Map<Color, Boolean>>(
            """{"type": "object", "properties": {"Red": {"type": "boolean"}, "dark green": {"type": "boolean"}},
                "additionalProperties": false}""",
        )
        assertSchema<Map<Int, Boolean>>(
            """{"type": "object", "patternProperties": {"^(0|-?[1-9][0-9]{0,8})$": {"type": "boolean"}},
                "additionalProperties": false}""",
        )
        assertThrows(UzuException.InvalidArgument::class.java) { schema<Map<Scalars, Int>>() }
    }

    @Serializable
    sealed interface Shape

    @Serializable
    @SerialName("circle")
    data class Circle(val radius: Double) : Shape

    @Serializable
    @SerialName("nothing")
    data object Nothing : Shape

    @Test
    fun aSealedTypeIsOneOfItsKindsWhoseNameComesFirst() = assertSchema<Shape>(
        """{"anyOf": [
            {"type": "object", "properties": {"type": {"const": "circle"}, "radius": {"type": "number"}},
             "required": ["type", "radius"], "additionalProperties": false},
            {"type": "object", "properties": {"type": {"const": "nothing"}}, "required": ["type"],
             "additionalProperties": false}]}""",
    )

    @Serializable
    data class Tree(val value: Int, val children: List<Tree>)

    @Test
    fun whatHoldsItselfIsADefinition() = assertSchema<Tree>(
        """{"${'$'}ref": "#/${'$'}defs/Tree", "${'$'}defs": {"Tree": {"type": "object",
            "properties": {"value": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
            "children": {"type": "array", "items": {"${'$'}ref": "#/${'$'}defs/Tree"}}},
            "required": ["value", "children"], "additionalProperties": false}}}""",
    )

    @JvmInline
    @Serializable
    value class Meters(val value: Double)

    @Serializable
    data class Inlined(val height: Meters, val count: UInt, val any: JsonElement)

    @Test
    fun valueClassesAreWhatTheyHold() = assertSchema<Inlined>(
        """{"type": "object", "properties": {"height": {"type": "number"},
            "count": {"type": "integer", "minimum": 0, "maximum": 4294967295}, "any": {}},
            "required": ["height", "count", "any"], "additionalProperties": false}""",
    )

    @Serializable
    data class Dated(@Contextual val date: Date)

    @Test
    fun whatHasNoSchemaIsNamed() {
        val refused = assertThrows(UzuException.InvalidArgument::class.java) { schema<Dated>() }
        assertTrue("Date" in refused.details.getValue("type"), refused.message)
    }

    private inline fun <reified T> assertFits(value: T) {
        val values = Json {
            explicitNulls = false
            encodeDefaults = true
        }
        val registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        val text = values.encodeToString(serializer<T>(), value)
        val errors = registry.getSchema(schema<T>()).validate(text, InputFormat.JSON)
        assertTrue(errors.isEmpty(), "$text: $errors")
    }

    @Test
    fun whatIsWrittenFitsItsSchema() {
        assertFits(Scalars("x", Int.MIN_VALUE, 1.5, true, 'ß'))
        assertFits(Optional(null))
        assertFits<Shape>(Circle(2.0))
        assertFits<Shape>(Nothing)
        assertFits(Tree(1, listOf(Tree(2, listOf()))))
        assertFits(mapOf(Color.Green to true))
        assertFits(mapOf(-17 to true))
    }
}
