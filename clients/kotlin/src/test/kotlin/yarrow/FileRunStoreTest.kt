package yarrow

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import org.junit.jupiter.api.io.TempDir

private val INPUT = buildJsonObject {
    put("threadId", "t1")
    put("runId", "r1")
}
private val EVENTS = (1L..5L).map { number ->
    StoredEvent(number, buildJsonObject {
        put("type", if (number == 5L) "RUN_FINISHED" else "X")
        put("delta", "官鬼\n$number")
    })
}

class FileRunStoreTest {
    @TempDir
    lateinit var folder: File
    private val file by lazy { File(folder, "run") }

    private fun write() = runBlocking {
        val store = FileRunStore(file)
        store.begin(INPUT, "scenes")
        EVENTS.forEach { store.append(it) }
    }

    @Test
    fun `a run is as it was kept`() = runBlocking {
        assertNull(FileRunStore(file).load())
        write()
        val kept = FileRunStore(file).load()
        assertEquals(KeptRun(INPUT, "scenes", EVENTS, last = 5, isEnded = true), kept)
        assertEquals("t1" to "r1", kept?.threadId to kept?.runId)
    }

    @Test
    fun `a death may cut the file anywhere`() = runBlocking {
        write()
        val whole = file.readBytes()
        for (size in whole.indices) {
            file.writeBytes(whole.copyOf(size))
            val store = FileRunStore(file)
            val kept = store.load()
            if (kept == null) store.begin(INPUT, "scenes")
            assertEquals(EVENTS.take(kept?.last?.toInt() ?: 0), kept?.events.orEmpty(), "cut after $size bytes")
            EVENTS.drop(kept?.last?.toInt() ?: 0).forEach { store.append(it) }
            assertEquals(whole.toList(), file.readBytes().toList(), "cut after $size bytes")
        }
    }

    @Test
    fun `what a power failure left of the last lines is dropped`() = runBlocking {
        write()
        val whole = file.readBytes()
        for (size in whole.indices.filter { whole[it] == '\n'.code.toByte() }.drop(1)) {
            file.writeBytes(whole.copyOf(size - 5) + ByteArray(7) + '\n'.code.toByte())
            val store = FileRunStore(file)
            val last = store.load()!!.last.toInt()
            EVENTS.drop(last).forEach { store.append(it) }
            assertEquals(whole.toList(), file.readBytes().toList(), "zeros from byte ${size - 5} on")
        }
    }

    @Test
    fun `an event is kept once, a file has one run`() = runBlocking {
        write()
        val store = FileRunStore(file)
        EVENTS.forEach { store.append(it) }
        assertEquals(EVENTS, store.load()?.events)
        assertFailsWith<IllegalStateException> { store.begin(INPUT) }
        val other = FileRunStore(File(folder, "other"))
        assertFailsWith<IllegalStateException> { other.append(EVENTS[0]) }
        assertFailsWith<IllegalArgumentException> { other.begin(buildJsonObject { put("threadId", "t1") }) }
        Unit
    }
}
