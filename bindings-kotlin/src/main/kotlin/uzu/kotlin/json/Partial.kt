package uzu.kotlin.json

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import uzu.kotlin.UzuException
import uzu.kotlin.transport.Transports

/** What the beginning of a JSON text holds so far; null when that is nothing. */
internal fun partialJson(text: String): JsonElement? =
    parsed(Transports.ofProcess.text("json_complete", 0, text)).takeIf { it !is JsonNull }

/** As a value of the type, if there is enough for one. */
internal fun <T> partialValue(text: String, type: DeserializationStrategy<T>): T? = partialJson(text)?.let {
    try {
        value(it, type)
    } catch (_: UzuException.InvalidArgument) {
        null
    }
}
