package uzu.kotlin.json

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import uzu.kotlin.UzuException

/** JSON as values of Kotlin's types and back, the way their schemas describe them. */
@OptIn(ExperimentalSerializationApi::class)
private val VALUES = Json {
    explicitNulls = false
    encodeDefaults = true
}

internal fun <T> value(text: String, type: DeserializationStrategy<T>): T =
    decoding(type) { VALUES.decodeFromString(type, text) }

internal fun <T> value(json: JsonElement, type: DeserializationStrategy<T>): T =
    decoding(type) { VALUES.decodeFromJsonElement(type, json) }

internal fun <T> jsonOf(value: T, type: SerializationStrategy<T>): JsonElement = VALUES.encodeToJsonElement(type, value)

private inline fun <T> decoding(type: DeserializationStrategy<T>, decode: () -> T): T = try {
    decode()
} catch (e: IllegalArgumentException) {
    // SerializationException is one, and so is what a class's own checks throw
    val name = type.descriptor.serialName
    throw UzuException.InvalidArgument("no $name: ${e.message}", mapOf("type" to name), e)
}
