package yarrow

import java.io.IOException
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.test.AfterTest
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotNull
import kotlin.test.assertTrue
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import mockwebserver3.MockResponse
import mockwebserver3.MockWebServer
import mockwebserver3.SocketEffect
import okhttp3.OkHttpClient
import okhttp3.Protocol

private const val PATH = "/api/v1/agent/runs/t%201/events?runId=r%261"

class Http1Test : YarrowTest(Protocol.HTTP_1_1)

class Http2Test : YarrowTest(Protocol.H2_PRIOR_KNOWLEDGE)

abstract class YarrowTest(protocol: Protocol) {
    private val server = MockWebServer().apply {
        protocols = listOf(protocol)
        start()
    }
    private val http = OkHttpClient.Builder().protocols(listOf(protocol)).build()
    private val refusals = mutableListOf<String>()
    private val waits = mutableListOf<Duration>()

    private fun yarrow(silence: Duration = 45.seconds) =
        Yarrow(server.url("/").toString().trimEnd('/'), http, silence, { waits += it }) { refused ->
            refused?.also { refusals += it }?.let { "new" } ?: "old"
        }

    @AfterTest
    fun close() = server.close()

    private fun stream(vararg numbers: Int, last: Int = 5, change: MockResponse.Builder.() -> Unit = {}) {
        val body = numbers.joinToString("", "retry: 20\n\n".takeIf { numbers.isNotEmpty() }.orEmpty()) {
            "id: $it\nevent: X\ndata: {\"type\":\"${if (it == last) "RUN_FINISHED" else "X"}\"}\n\n"
        }
        server.enqueue(answer(200, body).setHeader("Content-Type", "text/event-stream").apply(change).build())
    }

    private fun answer(status: Int, body: String) = MockResponse.Builder().code(status).body(body)

    private fun refuse(status: Int, vararg headers: Pair<String, String>) {
        val answer = answer(status, """{"status":$status,"code":"SOME_CODE","detail":"why"}""")
        for ((name, value) in headers) answer.addHeader(name, value)
        server.enqueue(answer.build())
    }

    private fun watch(after: Long = 0, yarrow: Yarrow = yarrow()): Flow<StoredEvent> = yarrow.watch("t 1", "r&1", after)

    private fun numbers(flow: Flow<StoredEvent>) =
        runBlocking { withTimeout(10.seconds) { flow.toList().map { it.id.toInt() } } }

    private fun cursors() =
        List(server.requestCount) { assertNotNull(server.takeRequest(1, SECONDS)).headers["Last-Event-ID"] }

    @Test
    fun `a stream goes on behind the last event, until the run has ended`() {
        stream(1, 2)
        stream(3) { onResponseBody(SocketEffect.ShutdownConnection) }
        stream(3, 4, 5)
        assertEquals(listOf(1, 2, 3, 4, 5), numbers(watch()))
        assertEquals(PATH, server.takeRequest().target)
        assertEquals("2", server.takeRequest().headers["Last-Event-ID"])
    }

    @Test
    fun `an event that comes again is not given again`() {
        stream(1, 2, 3)
        stream(2, 3, 4, 5)
        assertEquals(listOf(1, 2, 3, 4, 5), numbers(watch()))
    }

    @Test
    fun `behind an empty stream, the last event is read again`() {
        stream()
        stream(5)
        assertEquals(emptyList(), numbers(watch(after = 5)))
        assertEquals(listOf<String?>("5", "4"), cursors())
    }

    @Test
    fun `an empty stream before the end is a failure`() {
        stream()
        stream()
        stream(3, 4, 5)
        assertEquals(listOf(4, 5), numbers(watch(after = 3)))
        assertEquals(listOf<String?>("3", "2", "2"), cursors())
        assertEquals(1, waits.size)
    }

    @Test
    fun `a refused token is replaced once`() {
        refuse(401)
        stream(5)
        assertEquals(listOf(5), numbers(watch()))
        assertEquals(listOf("Bearer old", "Bearer new"), List(2) { server.takeRequest().headers["Authorization"] })
        repeat(2) { refuse(401) }
        val refused = assertFailsWith<Refused> { numbers(watch()) }
        assertEquals(Triple(401, "SOME_CODE", "why"), Triple(refused.status, refused.code, refused.message))
        assertEquals(listOf("old", "old"), refusals)
    }

    @Test
    fun `what passes is tried again when the service says, what does not is thrown`() {
        refuse(429, "Retry-After" to "7")
        refuse(503)
        server.enqueue(answer(200, "<html>Sign in to the train's network</html>").build())
        stream(5)
        assertEquals(listOf(5), numbers(watch()))
        assertTrue(waits.first() in 7.seconds..10.5.seconds, "${waits.first()}")
        assertEquals(3, waits.size)
        for (status in listOf(403, 404, 409, 410, 422)) {
            refuse(status)
            assertEquals(status, assertFailsWith<Refused> { numbers(watch()) }.status)
        }
    }

    @Test
    fun `a refusal that is cut short is one`() {
        server.enqueue(answer(404, "{\"code\":\"SOME_CODE\"}").onResponseBody(SocketEffect.ShutdownConnection).build())
        val refused = assertFailsWith<Refused> { numbers(watch()) }
        assertEquals(404 to null, refused.status to refused.code)
    }

    @Test
    fun `it is given up after 20 failures in a row`() {
        server.close()
        assertFailsWith<Dropped> { numbers(watch()) }
        assertEquals(20, waits.size)
    }

    @Test
    fun `a silent connection is left`() {
        stream(1) { headersDelay(20, SECONDS) }
        stream(1, 2) { bodyDelay(20, SECONDS) }
        stream(5)
        assertEquals(listOf(5), numbers(watch(yarrow = yarrow(silence = 300.milliseconds))))
    }

    @Test
    fun `to stop collecting ends the connection at once`() = runBlocking {
        stream(1, 2) { throttleBody(80, 20, SECONDS) }
        withTimeout(2.seconds) { assertEquals(1, watch().first().id) }
        stream(1) { headersDelay(20, SECONDS) }
        withTimeout(2.seconds) {
            val watching = launch(Dispatchers.Default) { watch().toList() }
            repeat(2) { server.takeRequest(2, SECONDS) }
            watching.cancelAndJoin()
            while (http.dispatcher.runningCallsCount() > 0) delay(5) // its thread is free again
        }
    }

    @Test
    fun `a failure of the collector is its own`() {
        stream(1, 2)
        val own = assertFailsWith<IOException> {
            runBlocking { watch().collect { throw IOException("the disk is full") } }
        }
        assertEquals("the disk is full", own.message)
        assertEquals(1, server.requestCount)
    }

    @Test
    fun `a run is submitted again where the answer was lost`() = runBlocking {
        server.enqueue(MockResponse.Builder().onRequestBody(SocketEffect.ShutdownConnection).build())
        refuse(503)
        server.enqueue(answer(202, "cut {").build())
        server.enqueue(answer(202, """{"taskId":"k","threadId":"t 1","runId":"r&1","created":true}""").build())
        stream(1, 5)
        val input = buildJsonObject { put("threadId", "t 1") }
        assertEquals(listOf(1, 5), numbers(yarrow().run(input, agent = "scenes")))
        val requests = List(server.requestCount) { server.takeRequest() }
        assertEquals("/api/v1/agent/runs?agent=scenes", requests[3].target)
        assertEquals("""{"threadId":"t 1"}""", requests[3].body?.utf8())
        assertEquals(PATH, requests.last().target)
    }

    @Test
    fun `events come in the format that is asked for`() {
        stream(5)
        numbers(yarrow().watch("t 1", "r&1", profile = Profile.NATIVE))
        assertEquals("$PATH&profile=native", server.takeRequest().target)
    }

    @Test
    fun `a run is cancelled, a history read`() = runBlocking {
        for (accepted in listOf(true, false)) {
            server.enqueue(answer(200, """{"accepted":$accepted}""").build())
            assertEquals(accepted, yarrow().cancel("t 1", "r&1"))
        }
        server.enqueue(answer(200, "{}").build())
        yarrow().history("t 1", mapOf("ui" to "2.0"))
        val asked = List(3) { server.takeRequest() }.map { it.method to it.target }
        assertEquals("POST" to "/api/v1/agent/runs/t%201/cancel?runId=r%261", asked[0])
        assertEquals("GET" to "/api/v1/agent/history?threadId=t%201&ui=2.0", asked[2])
        refuse(404)
        assertEquals(404, assertFailsWith<Refused> { yarrow().cancel("t", "r") }.status)
    }

    @Test
    fun `a watch that was sent away comes back at once after its client's own cancel`() = runBlocking {
        val told = Channel<Int>(Channel.UNLIMITED)
        val away = CompletableDeferred<Duration>()
        val url = server.url("/").toString().trimEnd('/')
        val pause: suspend (Duration) -> Unit = {
            away.complete(it)
            awaitCancellation()
        }
        val sleeping = Yarrow(url, http, 45.seconds, pause) { "" }
        val first = "id: 1\ndata: {\"type\":\"X\"}\n\nretry: 30000\n\n"
        server.enqueue(answer(200, first).setHeader("Content-Type", "text/event-stream").build())
        repeat(2) { server.enqueue(answer(200, """{"accepted":true}""").build()) }
        stream(2, last = 2)
        withTimeout(10.seconds) {
            val watching = launch { watch(yarrow = sleeping).collect { told.send(it.id.toInt()) } }
            assertTrue(away.await() in 15.seconds..30.seconds)
            sleeping.cancel("t 1", "another") // wakes nobody
            sleeping.cancel("t 1", "r&1")
            watching.join()
        }
        assertEquals(listOf(1, 2), List(2) { told.receive() })
        val asked = List(4) { server.takeRequest() }.map { it.method to it.headers["Last-Event-ID"] }
        assertEquals(listOf("GET" to null, "POST" to null, "POST" to null, "GET" to "1"), asked)
    }
}
