package uzu.kotlin

import kotlinx.serialization.KSerializer
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.serializer
import uzu.kotlin.schema.JsonSchemas

/**
 * What a reply's text must be. Every reply that isn't cut short by a cancel or a stop string is a whole value: when the
 * tokens left only suffice for the shortest end, the reply is led there. Thinking before the answer is free.
 */
sealed class Grammar {
    /**
     * A JSON value that the schema accepts: draft 7 or 2020-12. A keyword that can't be enforced is a
     * [UzuException.GrammarUnsupported] that names it or, if the reply is lenient, in [ChatReply.unenforced].
     *
     * @property schema as JSON text
     */
    data class JsonSchema
    @JvmOverloads constructor(val schema: String, val propertyOrder: PropertyOrder = PropertyOrder.AsGiven) : Grammar()

    /** Any JSON value. */
    data object JsonAny : Grammar()

    /** A text that the whole expression, one of ECMAScript, matches. No look behind, no back references. */
    data class Regex(val pattern: String) : Grammar()

    /** A text of the rule `root` in llama.cpp's GBNF, or of `start` in the context-free part of Lark. */
    data class Ebnf(val text: String) : Grammar()

    /** One of the values. */
    data class Choice(val values: List<String>) : Grammar() {
        constructor(vararg values: String) : this(values.toList())
    }

    companion object {
        /** A JSON value that [ChatMessage.textDecoded] reads as this type, which has to be serializable. */
        inline fun <reified T> fromType(): JsonSchema = fromType(serializer<T>())

        /** @throws UzuException.InvalidArgument for a type that no schema describes */
        @JvmStatic
        fun fromType(serializer: KSerializer<*>): JsonSchema = fromDescriptor(serializer.descriptor)

        private fun fromDescriptor(type: SerialDescriptor) = JsonSchema(JsonSchemas.of(type).toString())
    }
}

/** Whether a reply calls tools. */
sealed class ToolChoice {
    /** As the model likes. */
    data object Auto : ToolChoice()

    /** Tools aren't shown to the model. */
    data object None : ToolChoice()

    /** At least one call. */
    data object Required : ToolChoice()

    /** A call of this tool. */
    data class Named(val name: String) : ToolChoice()
}
