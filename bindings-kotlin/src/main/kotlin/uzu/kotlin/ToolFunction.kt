package uzu.kotlin

import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.KSerializer
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.serializer
import uzu.kotlin.json.jsonOf
import uzu.kotlin.json.value
import uzu.kotlin.schema.JsonSchemas
import kotlin.time.Duration

/**
 * What a model is told of a tool.
 *
 * @property parameters the JSON schema of an object that holds its arguments
 */
data class ToolDeclaration(val name: String, val description: String, val parameters: JsonObject)

/**
 * A tool that a session runs itself when the model calls it. Calls run in the context of the coroutine that collects
 * the reply, those of one turn at the same time. Whatever is thrown, a timeout too, is told to the model.
 *
 * @property timeout most time that a call may take; null: as long as it likes
 */
class ToolFunction(
    val declaration: ToolDeclaration,
    val timeout: Duration? = null,
    private val handler: suspend (JsonObject) -> JsonElement,
) {
    val name: String get() = declaration.name

    /** The same tool whose calls take at most so long. */
    fun withTimeout(timeout: Duration?): ToolFunction = ToolFunction(declaration, timeout, handler)

    internal suspend fun call(arguments: JsonObject): JsonElement {
        val limit = timeout ?: return handler(arguments)
        return try {
            withTimeout(limit) { handler(arguments) }
        } catch (e: TimeoutCancellationException) {
            throw UzuException.ToolFailed("The call took longer than $limit", mapOf("tool" to name), e)
        }
    }

    override fun toString(): String = "ToolFunction($name)"

    companion object {
        /** @throws UzuException.InvalidArgument for a type that no schema describes */
        fun <A, R> of(
            name: String,
            description: String,
            arguments: KSerializer<A>,
            result: KSerializer<R>,
            handler: suspend (A) -> R,
        ): ToolFunction {
            val declaration = ToolDeclaration(name, description, JsonSchemas.of(arguments.descriptor))
            return ToolFunction(declaration) { jsonOf(handler(value(it, arguments)), result) }
        }
    }
}

/**
 * A tool whose arguments are a `@Serializable` class, described by [UzuParameter], and whose result is `@Serializable`
 * or plain: a text, a number, a list. A lambda without a parameter makes a tool without arguments.
 */
inline fun <reified A, reified R> toolFunction(
    name: String,
    description: String,
    noinline handler: suspend (A) -> R,
): ToolFunction = ToolFunction.of(name, description, serializer<A>(), serializer<R>(), handler)

/** A tool without arguments. */
@JvmName("toolFunctionWithoutArguments")
inline fun <reified R> toolFunction(
    name: String,
    description: String,
    crossinline handler: suspend () -> R,
): ToolFunction = ToolFunction.of(name, description, serializer<Unit>(), serializer<R>()) { handler() }
