package uzu.kotlin

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.test.assertEquals

/** The API against docs/api-members.json, which every language is checked with; docs/parity.md says how it is read. */
class ParityTest {
    private val list = Json.parseToJsonElement(Files.readString(Path.of("../docs/api-members.json"))).jsonObject
    private val types = list.getValue("types").jsonObject
    private val differences = list.getValue("differences").jsonObject.getValue("kotlin").jsonObject
    private val faults = mutableListOf<String>()

    @Test
    fun everyMemberIsThereUnlessTheListSaysOtherwise() {
        types.forEach { (name, type) -> checkType(name, type.jsonObject) }
        for (code in list.getValue("errors").texts()) {
            expect(code, load("UzuException$" + camelCase("_$code")) != null)
        }
        assertEquals(list.getValue("errors").texts(), ErrorCode.entries.map { it.code })
        assertEquals(listOf(), faults)
    }

    @Test
    fun everyDifferenceIsOfSomethingListed() {
        for (path in differences.keys) {
            val (name, member) = (path.split(".") + "").take(2)
            val type = types[name]?.jsonObject
            if (type == null || member.isNotEmpty() && member !in type["members"].texts() + type["values"].texts()) {
                faults.add(path)
            }
        }
        assertEquals(listOf(), faults)
    }

    private fun checkType(name: String, type: JsonObject) {
        val found = load(name)
        expect(name, found != null)
        if (found == null) {
            return
        }
        val isConfig = type.getValue("kind").jsonPrimitive.content == "config"
        for (member in type["members"].texts()) {
            expect("$name.$member", has(found, member))
            if (isConfig) {
                expect("$name.$member", has(found, "with_$member"))
                expect("$name.$member", has(load("$name\$Builder")!!, member))
            }
        }
        if (isConfig) {
            expect("$name.create", has(found, "create"))
        }
        for (value in type["values"].texts()) {
            expect("$name.$value", found.enumConstants.any { (it as Enum<*>).name == value })
        }
        type["variants"]?.jsonObject?.forEach { (variant, fields) ->
            val kind = load("$name$$variant")
            expect("$name.$variant", kind != null)
            fields.texts().forEach { field -> kind?.let { expect("$name.$variant.$field", has(it, field)) } }
        }
    }

    /** What the list says is absent must be. */
    private fun expect(path: String, isThere: Boolean) {
        if (isThere == (differences[path] is JsonNull)) {
            faults.add(path)
        }
    }

    /** A function, static too, or a property. */
    private fun has(type: Class<*>, member: String): Boolean {
        val names = setOf(camelCase(member), camelCase("get_$member"))
        return listOfNotNull(type, load(type.simpleName + "\$Companion"))
            .any { each -> each.methods.any { it.name in names } }
    }

    private fun load(name: String): Class<*>? = try {
        Class.forName("uzu.kotlin.$name")
    } catch (_: ClassNotFoundException) {
        null
    }

    private fun JsonElement?.texts(): List<String> = this?.jsonArray?.map { it.jsonPrimitive.content } ?: listOf()

    private fun camelCase(name: String) = name.replace(Regex("_(.)")) { it.groupValues[1].uppercase() }
}
