package uzu.kotlin.json

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.json.JsonElement
internal fun partialJson(text: String): JsonElement? = null
internal fun <T> partialValue(text: String, type: DeserializationStrategy<T>): T? = null
