package yarrow

import okio.BufferedSource
import okio.ByteString.Companion.encodeUtf8

/** What an SSE stream says up to an empty line; without [data] it is a comment or a `retry:`. */
internal data class Frame(val id: String?, val event: String?, val data: String?, val retry: Long?)

private const val LF = '\n'.code.toByte()
private const val CR = '\r'.code.toByte()
private val LINE_ENDS = "\n\r".encodeUtf8()
private val BYTE_ORDER_MARK = "\uFEFF".encodeUtf8()

/**
 * The whole frames of a stream, as WHATWG's HTML has them.
 *
 * Not `okhttp-sse`: it hides comments and `retry:` from its listener, which the stream rules need.
 */
internal class Frames(private val source: BufferedSource) {
    private var isFirst = true
    private var isAfterCr = false

    /** The next frame, as soon as its empty line came; null where the stream ended. What is incomplete is dropped. */
    fun next(): Frame? {
        var id: String? = null
        var event: String? = null
        var data: StringBuilder? = null
        var retry: Long? = null
        var isEmpty = true
        while (true) {
            val line = line() ?: return null
            if (line.isEmpty()) {
                if (isEmpty) continue
                return Frame(id, event, data?.toString(), retry)
            }
            isEmpty = false
            val name = line.substringBefore(':')
            val value = line.substringAfter(':', "").removePrefix(" ")
            when (name) {
                "id" -> if ('\u0000' !in value) id = value
                "event" -> event = value
                "data" -> data = data?.append('\n')?.append(value) ?: StringBuilder(value)
                "retry" -> if (value.isNotEmpty() && value.all { it in '0'..'9' }) retry = value.toLongOrNull() ?: retry
            }
        }
    }

    /** A line without its end; null where the stream ended before the line did. */
    private fun line(): String? {
        if (isFirst) {
            isFirst = false
            if (source.rangeEquals(0, BYTE_ORDER_MARK)) source.skip(BYTE_ORDER_MARK.size.toLong())
        }
        if (isAfterCr && source.request(1) && source.buffer[0] == LF) source.skip(1)
        val end = source.indexOfElement(LINE_ENDS)
        if (end < 0) return null
        val line = source.readUtf8(end)
        isAfterCr = source.readByte() == CR
        return line
    }
}
