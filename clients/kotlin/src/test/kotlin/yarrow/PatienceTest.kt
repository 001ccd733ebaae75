package yarrow

import kotlin.random.Random
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertSame
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking

private val LEAST = object : Random() {
    override fun nextBits(bitCount: Int) = 0
}
private val MOST = object : Random() {
    override fun nextBits(bitCount: Int) = -1 ushr (32 - bitCount)
}

class PatienceTest {
    private val waits = mutableListOf<Duration>()
    private val patience = Patience({ waits += it }, LEAST)

    private fun wait(failure: YarrowException?, patience: Patience = this.patience) =
        runBlocking { patience.wait(failure) }

    @Test
    fun `waits grow to half a minute, less jitter of a half at most`() {
        repeat(9) { wait(Dropped()) }
        val halves = listOf(250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000)
        assertEquals(halves.map { it.milliseconds }, waits)
        waits.clear()
        val longest = Patience({ waits += it }, MOST)
        repeat(9) { wait(Dropped(), longest) }
        assertEquals(halves.map { it * 2L }, waits.map { it.inWholeMilliseconds })
    }

    @Test
    fun `the service says when to come back`() {
        patience.heard(40)
        wait(null)
        wait(Refused(429, null, "busy", 7.seconds))
        wait(Refused(503, null, "busy", Duration.ZERO))
        assertEquals(listOf(20.milliseconds, 7.seconds, 40.milliseconds), waits)
    }

    @Test
    fun `it gives up after 20 failures in a row`() {
        repeat(20) { wait(Dropped()) }
        patience.heard(null)
        repeat(20) { wait(Dropped()) }
        val last = Dropped()
        assertSame(last, assertFailsWith<Dropped> { wait(last) })
    }

    @Test
    fun `only what may pass is waited for`() {
        for (status in listOf(408, 429, 500, 502, 503, 504)) wait(Refused(status, null, "passes"))
        for (status in listOf(400, 401, 403, 404, 409, 410, 413, 422)) {
            assertEquals(status, assertFailsWith<Refused> { wait(Refused(status, null, "stays")) }.status)
        }
        assertEquals(6, waits.size)
    }
}
