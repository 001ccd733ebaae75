package yarrow

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertNull
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import okio.Buffer
import okio.BufferedSource
import okio.ByteString
import okio.ByteString.Companion.decodeHex
import okio.ByteString.Companion.encodeUtf8
import okio.ForwardingSource
import okio.Pipe
import okio.buffer

private class Vector(val name: String, val stream: ByteString, val frames: List<Frame>)

class FramesTest {
    private val vectors by lazy {
        val all = Json.parseToJsonElement(File("../sse-vectors.json").readText()).jsonObject
        listOf("sse", "whatwg").flatMap { all.getValue(it).jsonArray }.map { it.jsonObject }.map { vector ->
            val bytes = vector.text("stream")?.encodeUtf8() ?: vector.text("hex")!!.decodeHex()
            val frames = vector.getValue("frames").jsonArray.map { it.jsonObject }.map {
                Frame(it.text("id"), it.text("event"), it.text("data"), it.text("retry")?.toLong())
            }
            Vector(vector.text("name")!!, bytes, frames)
        }
    }

    @Test
    fun `all vectors are read, in whichever pieces they arrive`() {
        for (vector in vectors) for (size in 1..maxOf(1, vector.stream.size)) {
            val frames = Frames(pieces(vector.stream, size))
            val read = generateSequence { frames.next() }.toList()
            assertEquals(vector.frames, read, "${vector.name}, in pieces of $size bytes")
        }
    }

    @Test
    fun `a stream that is cut anywhere leaves whole frames`() {
        for (vector in vectors) for (size in 0 until vector.stream.size) {
            val frames = Frames(Buffer().write(vector.stream, 0, size))
            val left = generateSequence { frames.next() }.toList()
            assertEquals(vector.frames.take(left.size), left, "${vector.name}, cut after $size bytes")
        }
    }

    @Test
    fun `a frame is given before the next byte comes`() {
        val pipe = Pipe(1024)
        val sink = pipe.sink.buffer()
        val frames = Frames(pipe.source.buffer())
        for (end in listOf("\n\n", "\r\r", "\r\n\r\n")) {
            sink.writeUtf8("data: x$end").flush()
            assertEquals("x", frames.next()?.data)
        }
        sink.close()
        assertNull(frames.next())
    }

    private fun pieces(bytes: ByteString, size: Int): BufferedSource =
        object : ForwardingSource(Buffer().write(bytes)) {
            override fun read(sink: Buffer, byteCount: Long) = super.read(sink, minOf(byteCount, size.toLong()))
        }.buffer()
}
