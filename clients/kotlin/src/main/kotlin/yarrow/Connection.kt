package yarrow

import java.io.Closeable
import java.io.IOException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull
import kotlin.time.Duration.Companion.seconds
import okhttp3.Call
import okhttp3.Response

private const val MOST_BYTES_OF_A_PROBLEM = 65_536L

// Threads beside the 64 of Dispatchers.IO: each stream holds one while it waits.
private val BLOCKING = Dispatchers.IO.limitedParallelism(1024).asExecutor()

/** Does what blocks on this call on another thread; cancelled with the coroutine. A broken connection is [Dropped]. */
internal suspend fun <T> Call.blocking(block: () -> T): T = suspendCancellableCoroutine { waiting ->
    waiting.invokeOnCancellation { cancel() }
    BLOCKING.execute { waiting.settle(block) }
}

private fun <T> CancellableContinuation<T>.settle(block: () -> T) {
    val result = runCatching(block).recoverCatching { throw if (it is IOException) Dropped(cause = it) else it }
    result.fold({ value -> resume(value) { _, late, _ -> (late as? Response)?.let(::closed) } }, { resumeWith(result) })
}

/** On another thread: Android forbids the network on the one that draws. */
private fun closed(response: Response) = BLOCKING.execute { response.close() }

/** A call and its answer, whose body is not read yet. */
internal class Exchange(val call: Call, val response: Response) : Closeable {
    suspend fun text(): String = call.blocking { response.body.string() }

    suspend fun refusal(): Refused {
        val text = call.blocking { runCatching { response.peekBody(MOST_BYTES_OF_A_PROBLEM).string() }.getOrDefault("") }
        val problem = parsed(text)
        val seconds = response.header("Retry-After")?.toLongOrNull()
        val message = problem?.text("detail") ?: "HTTP ${response.code}"
        return Refused(response.code, problem?.text("code"), message, seconds?.seconds)
    }

    override fun close() {
        call.cancel()
        closed(response)
    }
}

/** The frames of one connection. What ends it early is its [failure], and not thrown. */
internal class EventStream(private val open: suspend () -> Exchange) : Closeable {
    var failure: YarrowException? = null
        private set

    private var exchange: Exchange? = null
    private var frames: Frames? = null

    /** Null where the stream ended. */
    suspend fun next(): Frame? =
        try {
            val opened = exchange ?: open().also { exchange = it }
            val reader = frames ?: opened.frames().also { frames = it }
            opened.call.blocking { reader.next() }
        } catch (broken: YarrowException) {
            failure = broken
            null
        }

    override fun close() {
        exchange?.close()
    }

    /** Hotels and trains answer everything with a page of their own. */
    private fun Exchange.frames(): Frames {
        val type = response.header("Content-Type").orEmpty()
        if (!type.startsWith("text/event-stream")) throw Dropped("the answer is no event stream")
        return Frames(response.body.source())
    }
}

internal fun parsed(text: String): JsonObject? =
    try {
        Json.parseToJsonElement(text) as? JsonObject
    } catch (_: SerializationException) {
        null
    }

internal fun JsonObject.text(name: String): String? = (get(name) as? JsonPrimitive)?.contentOrNull
