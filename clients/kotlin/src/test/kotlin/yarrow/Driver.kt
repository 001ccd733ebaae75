package yarrow

import java.io.File
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import okhttp3.OkHttpClient

/**
 * Runs for `tests/e2e/clients/test_kotlin_client.py`: each line of standard input is a task, all are done at once. A line of
 * output is an event of a task, or how the task ended. `tokens` are handed out one after the other, each when the one
 * before was refused; waits are divided by `hurry`.
 */
fun main() = runBlocking {
    val http = OkHttpClient()
    // This thread waits for lines: a task that was queued on it could wait with it.
    for (line in System.`in`.bufferedReader().lineSequence()) {
        launch(Dispatchers.Default) { Task(Json.parseToJsonElement(line).jsonObject, http).perform() }
    }
}

private class Task(private val given: JsonObject, http: OkHttpClient) {
    private val tokens = ArrayDeque(given.getValue("tokens").jsonArray.map { it.jsonPrimitive.content })
    private val refusals = mutableListOf<String>()
    private val yarrow = Yarrow(required("url"), http, 45.seconds, { delay(it / (number("hurry") ?: 1)) }) { refused ->
        if (refused != null) refusals += tokens.removeFirst()
        tokens.first()
    }

    suspend fun perform() {
        val error = try {
            when (given.text("do")) {
                "history" -> print("history", yarrow.history(required("thread")))
                "interrupts" -> print("interrupts", yarrow.interrupts())
                "answer" -> print("answer", buildJsonObject {
                    put("runId", yarrow.answer(required("interrupt"), given["payload"]).runId)
                })
                "capabilities" -> print("capabilities", yarrow.capabilities(given.text("agent")))
                "register" -> print(
                    "register",
                    yarrow.registerDevice(required("token"), name = given.text("name"), include = listOf("answer")),
                )
                "devices" -> print("devices", yarrow.listDevices())
                "remove" -> {
                    yarrow.removeDevice(required("device"))
                    print("remove", buildJsonObject {})
                }
                "cancel" -> print("cancel", buildJsonObject {
                    put("accepted", yarrow.cancel(required("thread"), required("run")))
                })
                else -> watch()
            }
            null
        } catch (failure: YarrowException) {
            failure
        }
        print("ended", buildJsonObject {
            put("error", error?.let { it::class.simpleName })
            put("status", (error as? Refused)?.status)
            put("code", (error as? Refused)?.code)
            put("refusals", JsonArray(refusals.map(::JsonPrimitive)))
        })
    }

    private suspend fun watch() = events().take(number("stopAfter") ?: Int.MAX_VALUE).collect { told ->
        print("told", buildJsonObject {
            put("id", told.id)
            put("event", told.event)
        })
        if (told.id.toInt() == number("cancelAfter")) yarrow.cancel(required("thread"), required("run"))
    }

    private suspend fun events(): Flow<StoredEvent> {
        val input = given["input"]?.jsonObject
        val profile = given.text("profile")?.let { Profile.valueOf(it) }
        given.text("store")?.let { path ->
            val store = FileRunStore(File(path))
            if (store.load() == null) store.begin(checkNotNull(input), given.text("agent"))
            return yarrow.run(store, profile)
        }
        if (input != null) return yarrow.run(input, given.text("agent"), profile)
        return yarrow.watch(required("thread"), required("run"), number("after")?.toLong() ?: 0, profile)
    }

    private fun required(name: String) = checkNotNull(given.text(name)) { "the task has no $name" }

    private fun number(name: String) = given[name]?.jsonPrimitive?.int

    private fun print(name: String, what: JsonObject) {
        val line = buildJsonObject {
            put("task", given.getValue("task"))
            put(name, what)
        }
        synchronized(System.out) {
            System.out.write("$line\n".toByteArray())
            System.out.flush()
        }
    }
}
