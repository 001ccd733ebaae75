package yarrow

import java.io.File
import java.io.RandomAccessFile
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import kotlinx.serialization.json.put
import okio.buffer
import okio.source

private const val LF = '\n'.code.toByte()

/**
 * A run in a [file]: a line for its input, then one for each event with its number, so that both are kept or neither.
 *
 * What a death left incomplete is dropped; it comes again from the service. A file has one object at a time.
 */
public class FileRunStore(private val file: File) : RunStore {
    private val mutex = Mutex()
    private var isRead = false
    private var first: JsonObject? = null
    private val events = mutableListOf<StoredEvent>()
    private var end = 0L // of the last whole line

    override suspend fun begin(input: JsonObject, agent: String?): Unit = exclusively {
        check(first == null) { "a run was begun in $file" }
        for (name in listOf("threadId", "runId")) requireNotNull(input.text(name)) { "an input to keep has a $name" }
        val line = buildJsonObject {
            put("input", input)
            put("agent", agent)
        }
        write(line, isDurable = true)
        first = line
    }

    override suspend fun append(event: StoredEvent): Unit = exclusively {
        checkNotNull(first) { "no run was begun in $file" }
        if (event.id > (events.lastOrNull()?.id ?: 0)) {
            write(buildJsonObject {
                put("id", event.id)
                put("event", event.event)
            })
            events += event
        }
    }

    override suspend fun load(): KeptRun? = exclusively {
        first?.let { KeptRun(it.getValue("input").jsonObject, it.text("agent"), events.toList()) }
    }

    private suspend fun <T> exclusively(block: () -> T): T = mutex.withLock {
        withContext(Dispatchers.IO) {
            if (!isRead) read()
            block()
        }
    }

    private fun read() {
        isRead = true
        if (!file.exists()) return
        file.source().buffer().use { source ->
            while (true) {
                val size = source.indexOf(LF)
                val line = (if (size < 0) null else parsed(source.readUtf8(size))) ?: return
                source.skip(1)
                if (first == null) first = line
                else events += StoredEvent(line.getValue("id").jsonPrimitive.long, line.getValue("event").jsonObject)
                end += size + 1
            }
        }
    }

    /** Over whatever a death left behind the last whole line. */
    private fun write(line: JsonObject, isDurable: Boolean = false) = RandomAccessFile(file, "rw").use {
        val bytes = "$line\n".toByteArray()
        it.setLength(end)
        it.seek(end)
        it.write(bytes)
        if (isDurable) it.fd.sync()
        end += bytes.size
    }
}
