package uzu.kotlin.schema

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementDescriptors
import kotlinx.serialization.descriptors.elementNames
import kotlinx.serialization.descriptors.nonNullOriginal
import kotlinx.serialization.json.JsonClassDiscriminator
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject
import uzu.kotlin.UzuException
import uzu.kotlin.UzuParameter

/**
 * JSON schemas of what is `@Serializable`: classes, enums, sealed classes, value classes, lists, maps, what is nullable
 * or has a default. Types are written where they stand; one that holds itself is a definition.
 */
@OptIn(ExperimentalSerializationApi::class)
internal class JsonSchemas private constructor() {
    private val open = mutableSetOf<SerialDescriptor>()
    private val recursive = mutableMapOf<SerialDescriptor, String>()
    private val definitions = mutableMapOf<String, JsonObject>()

    private fun schema(type: SerialDescriptor): JsonObject {
        val schema = ofValue(type.nonNullOriginal)
        return if (type.isNullable) orNull(schema) else schema
    }

    private fun ofValue(type: SerialDescriptor): JsonObject = known(type.serialName)
        ?: if (type.isInline) {
            schema(type.getElementDescriptor(0))
        } else {
            when (val kind = type.kind) {
                is PrimitiveKind -> primitive(kind)
                SerialKind.ENUM -> enumeration(type)
                StructureKind.LIST -> typed("array") { put("items", schema(type.getElementDescriptor(0))) }
                StructureKind.MAP -> map(type)
                StructureKind.CLASS, StructureKind.OBJECT -> structure(type) { ofObject(type) }
                PolymorphicKind.SEALED -> structure(type) { alternatives(type) }
                SerialKind.CONTEXTUAL, PolymorphicKind.OPEN -> throw undescribable(type)
            }
        }

    private fun primitive(kind: PrimitiveKind): JsonObject = when (kind) {
        PrimitiveKind.BOOLEAN -> typed("boolean")
        PrimitiveKind.BYTE -> integer(Byte.MIN_VALUE, Byte.MAX_VALUE)
        PrimitiveKind.SHORT -> integer(Short.MIN_VALUE, Short.MAX_VALUE)
        PrimitiveKind.INT -> integer(Int.MIN_VALUE, Int.MAX_VALUE)
        PrimitiveKind.LONG -> integer(Long.MIN_VALUE, Long.MAX_VALUE)
        PrimitiveKind.FLOAT, PrimitiveKind.DOUBLE -> typed("number")
        PrimitiveKind.CHAR -> typed("string") {
            put("minLength", 1)
            put("maxLength", 1)
        }
        PrimitiveKind.STRING -> typed("string")
    }

    private fun enumeration(type: SerialDescriptor): JsonObject =
        typed("string") { putJsonArray("enum") { type.elementNames.forEach { add(it) } } }

    private fun map(type: SerialDescriptor): JsonObject {
        val key = type.getElementDescriptor(0)
        val value = schema(type.getElementDescriptor(1))
        return when (val kind = if (key.isInline) key.getElementDescriptor(0).kind else key.kind) {
            PrimitiveKind.STRING -> typed("object") { put("additionalProperties", value) }
            SerialKind.ENUM -> typed("object") {
                putJsonObject("properties") { key.elementNames.forEach { put(it, value) } }
                put("additionalProperties", false)
            }
            PrimitiveKind.BYTE, PrimitiveKind.SHORT, PrimitiveKind.INT, PrimitiveKind.LONG -> typed("object") {
                // More digits might not fit.
                val digits = when (kind) {
                    PrimitiveKind.BYTE -> 1
                    PrimitiveKind.SHORT -> 3
                    PrimitiveKind.INT -> 8
                    else -> 17
                }
                putJsonObject("patternProperties") { put("^(0|-?[1-9][0-9]{0,$digits})$", value) }
                put("additionalProperties", false)
            }
            else -> throw undescribable(key)
        }
    }

    private fun ofObject(type: SerialDescriptor): JsonObject = typed("object") {
        putJsonObject("properties") {
            for (index in 0..<type.elementsCount) {
                val property = schema(type.getElementDescriptor(index))
                put(type.getElementName(index), described(property, type.getElementAnnotations(index)))
            }
        }
        putJsonArray("required") {
            for (index in 0..<type.elementsCount) {
                if (!type.isElementOptional(index) && !type.getElementDescriptor(index).isNullable) {
                    add(type.getElementName(index))
                }
            }
        }
        put("additionalProperties", false)
    }

    private fun alternatives(type: SerialDescriptor): JsonObject = buildJsonObject {
        val discriminator =
            type.annotations.firstNotNullOfOrNull { (it as? JsonClassDiscriminator)?.discriminator } ?: "type"
        val kinds = type.getElementDescriptor(1)
        putJsonArray("anyOf") {
            for (kind in kinds.elementDescriptors) {
                if (kind.kind != StructureKind.CLASS && kind.kind != StructureKind.OBJECT) {
                    throw undescribable(kind)
                }
                add(ofKind(described(ofObject(kind), kind.annotations), discriminator, kind.serialName))
            }
        }
    }

    /** The kind's name comes first, so that the rest of the value is known by it. */
    private fun ofKind(own: JsonObject, discriminator: String, name: String): JsonObject = JsonObject(
        own + mapOf(
            "properties" to buildJsonObject {
                putJsonObject(discriminator) { put("const", name) }
                own.getValue("properties").jsonObject.forEach { (key, value) -> put(key, value) }
            },
            "required" to buildJsonArray {
                add(discriminator)
                own.getValue("required").jsonArray.forEach { add(it) }
            },
        ),
    )

    private fun structure(type: SerialDescriptor, describe: () -> JsonObject): JsonObject {
        if (type in recursive || type in open) {
            return reference(type)
        }
        open.add(type)
        val schema = described(describe(), type.annotations)
        open.remove(type)
        val name = recursive[type] ?: return schema
        definitions[name] = schema
        return reference(type)
    }

    private fun reference(type: SerialDescriptor): JsonObject {
        val name = recursive.getOrPut(type) {
            val simple = type.serialName.substringAfterLast('.')
            generateSequence(1) { it + 1 }
                .map { if (it == 1) simple else "$simple$it" }
                .first { it !in recursive.values }
        }
        return buildJsonObject { put("\$ref", "#/\$defs/$name") }
    }

    private fun finish(schema: JsonObject): JsonObject =
        if (definitions.isEmpty()) schema else JsonObject(schema + ("\$defs" to JsonObject(definitions)))

    companion object {
        /** @throws UzuException.InvalidArgument for a type that no schema describes */
        fun of(type: SerialDescriptor): JsonObject = JsonSchemas().run { finish(schema(type)) }

        private const val DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
        private const val TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"

        /** What is written as a text of a certain form, or needs no kind of its own. */
        private fun known(serialName: String): JsonObject? = when (serialName.substringBefore('/')) {
            "kotlin.UByte" -> integer(0, 0xFF)
            "kotlin.UShort" -> integer(0, 0xFFFF)
            "kotlin.UInt" -> integer(0, 0xFFFF_FFFFL)
            "kotlin.ULong" -> typed("integer") {
                put("minimum", 0)
                put("maximum", ULong.MAX_VALUE.toString().toBigInteger())
            }
            "kotlin.time.Instant", "kotlinx.datetime.Instant" -> format("date-time")
            "kotlin.time.Duration" -> format("duration")
            "kotlin.uuid.Uuid" -> format("uuid")
            "kotlinx.datetime.LocalDate" -> format("date")
            "kotlinx.datetime.LocalTime" -> typed("string") { put("pattern", "^$TIME$") }
            "kotlinx.datetime.LocalDateTime" -> typed("string") { put("pattern", "^${DATE}T$TIME$") }
            "kotlinx.serialization.json.JsonElement" -> JsonObject(mapOf())
            "kotlinx.serialization.json.JsonObject" -> typed("object")
            "kotlinx.serialization.json.JsonArray" -> typed("array")
            else -> null
        }

        private fun typed(type: String, more: JsonObjectBuilder.() -> Unit = {}): JsonObject =
            buildJsonObject {
                put("type", type)
                more()
            }

        private fun format(name: String): JsonObject = typed("string") { put("format", name) }

        private fun integer(least: Number, most: Number): JsonObject = typed("integer") {
            put("minimum", least)
            put("maximum", most)
        }

        private fun orNull(schema: JsonObject): JsonObject {
            val type = schema["type"]
            return if (type is JsonPrimitive && "enum" !in schema) {
                JsonObject(schema + ("type" to buildJsonArray { add(type); add("null") }))
            } else {
                buildJsonObject {
                    putJsonArray("anyOf") {
                        add(schema)
                        addJsonObject { put("type", "null") }
                    }
                }
            }
        }

        private fun described(schema: JsonObject, annotations: List<Annotation>): JsonObject {
            val text = annotations.firstNotNullOfOrNull { (it as? UzuParameter)?.description } ?: return schema
            val description: Map<String, JsonElement> = mapOf("description" to JsonPrimitive(text))
            return JsonObject(description + (schema - "description"))
        }

        private fun undescribable(type: SerialDescriptor) = UzuException.InvalidArgument(
            "no JSON schema describes ${type.serialName}, which is ${type.kind}",
            mapOf("type" to type.serialName),
        )
    }
}
