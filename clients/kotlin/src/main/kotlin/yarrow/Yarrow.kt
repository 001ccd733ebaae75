package yarrow

import java.util.concurrent.TimeUnit.MILLISECONDS
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.add
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import okhttp3.HttpUrl
import okhttp3.HttpUrl.Companion.toHttpUrl
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody

private val SILENCE = 45.seconds // the service says something every 15
private val JSON_TYPE = "application/json".toMediaType()
private val NOTHING = ByteArray(0).toRequestBody()

/** The format of events. */
public enum class Profile {
    /** As AG-UI clients take them. */
    AGUI,

    /** With the cards of messages as `ui_schema`. */
    NATIVE,
}

/** A run that the service has. */
public data class Accepted(public val threadId: String, public val runId: String)

/**
 * A client of Yarrow: submits runs, and reads their events to the end whatever the network does.
 *
 * Calls and flows throw [Refused] or [Dropped]. They may be collected on any thread; to stop collecting cancels no run.
 */
public class Yarrow
internal constructor(
    url: String,
    http: OkHttpClient,
    private val silence: Duration,
    private val pause: suspend (Duration) -> Unit,
    private val token: suspend (refused: String?) -> String,
) {
    /**
     * [url] is where the API is, and [http] the application's client, whose connections are shared. [token] gives the
     * bearer token: a new one, where it is called with the one that was refused.
     */
    public constructor(
        url: String,
        http: OkHttpClient = OkHttpClient(),
        token: suspend (refused: String?) -> String,
    ) : this(url, http, SILENCE, { delay(it) }, token)

    private val root = url.toHttpUrl()
    private val api = root.newBuilder().addPathSegments("api/v1/agent").build()
    private val watches = Watches()
    private val http = http.newBuilder().readTimeout(silence).callTimeout(Duration.ZERO).build()

    /** Submits a run; [input] is the body of `POST /runs`. Sent again where the answer is lost: no second run. */
    public suspend fun submit(input: JsonObject, agent: String? = null): Accepted {
        val url = url("runs") { agent?.let { addQueryParameter("agent", it) } }
        val request = Request.Builder().url(url).post(input.toString().toRequestBody(JSON_TYPE))
        return retried { accepted(request) }
    }

    /** Submits a run and gives its events; the same input again joins the run. */
    public fun run(input: JsonObject, agent: String? = null, profile: Profile? = null): Flow<StoredEvent> = flow {
        val (threadId, runId) = submit(input, agent)
        emitAll(watch(threadId, runId, profile = profile))
    }

    /**
     * All events of the run that was begun in [store], each once: those kept there, then those of the service, which
     * are kept before they are given. After the death of the process, the same call goes on.
     */
    public fun run(store: RunStore, profile: Profile? = null): Flow<StoredEvent> = flow {
        val kept = checkNotNull(store.load()) { "no run was begun in this store" }
        kept.events.forEach { emit(it) }
        if (kept.isEnded) return@flow
        // Perhaps the service never got it; if it did, this makes no second run.
        if (kept.last == 0L) submit(kept.input, kept.agent)
        watch(kept.threadId, kept.runId, kept.last, profile).collect {
            store.append(it)
            emit(it)
        }
    }

    /** The events of a run behind number [after], to the one that ends it. */
    public fun watch(
        threadId: String,
        runId: String,
        after: Long = 0,
        profile: Profile? = null,
    ): Flow<StoredEvent> = flow {
        watches.during(Accepted(threadId, runId)) { woken ->
            read(threadId, runId, after, profile, Patience({ wait -> woken.orAfter { pause(wait) } }))
        }
    }

    private suspend fun FlowCollector<StoredEvent>.read(
        threadId: String,
        runId: String,
        after: Long,
        profile: Profile?,
        patience: Patience,
    ) {
        val url = url("runs", threadId, "events") {
            addQueryParameter("runId", runId)
            profile?.let { addQueryParameter("profile", it.name.lowercase()) }
        }
        var last = after
        // An empty response means that `last` ended the run, or that a proxy cut the stream: reading it again tells.
        var again = 0
        while (true) {
            val cursor = last - again
            val request = Request.Builder().url(url)
            if (cursor > 0) request.header("Last-Event-ID", cursor.toString())
            var isEmpty = true
            val stream = EventStream { ask(request) }
            stream.use {
                while (true) {
                    val frame = stream.next() ?: break
                    isEmpty = false
                    patience.heard(frame.retry)
                    val event = frame.stored() ?: continue
                    if (event.id > last) {
                        last = event.id
                        emit(event)
                    }
                    if (event.isTerminal) return
                }
            }
            var failure = stream.failure
            if (isEmpty && failure == null) {
                if (last > 0 && again == 0) {
                    again = 1
                    continue
                }
                failure = Dropped("the stream ended before its first event")
            }
            if (!isEmpty) again = 0
            patience.wait(failure)
        }
    }

    /** Ends a run with RUN_ERROR, code RUN_CANCELED. False if it had finished or failed before. */
    public suspend fun cancel(threadId: String, runId: String): Boolean {
        val url = url("runs", threadId, "cancel") { addQueryParameter("runId", runId) }
        val answer = answered(Request.Builder().url(url).post(NOTHING))
        watches.wake(Accepted(threadId, runId))
        return answer["accepted"]?.jsonPrimitive?.booleanOrNull ?: true
    }

    /**
     * Adds a message to a run that goes on; its agent takes it at its next step. The same [id] and [content] again are one
     * message. Returns its `place` in the run, among other members.
     */
    public suspend fun addMessage(threadId: String, runId: String, id: String, content: String): JsonObject {
        val url = url("runs", threadId, "messages") { addQueryParameter("runId", runId) }
        val body = buildJsonObject {
            put("id", id)
            put("content", content)
        }
        return answered(Request.Builder().url(url).post(body.toString().toRequestBody(JSON_TYPE)))
    }

    /** The messages of a thread, or without one the user's threads; [parameters] are more of `GET /history`. */
    public suspend fun history(threadId: String? = null, parameters: Map<String, String> = emptyMap()): JsonObject {
        val url = url("history") {
            threadId?.let { addQueryParameter("threadId", it) }
            parameters.forEach { (name, value) -> addQueryParameter(name, value) }
        }
        return answered(Request.Builder().url(url))
    }

    /**
     * The user's open questions in all sessions, newest first: `interrupts`, and `hasMore`. [after] is the id of the last
     * one of the page before.
     */
    public suspend fun interrupts(limit: Int? = null, after: String? = null): JsonObject {
        val url = url("interrupts") {
            limit?.let { addQueryParameter("limit", it.toString()) }
            after?.let { addQueryParameter("after", it) }
        }
        return answered(Request.Builder().url(url))
    }

    /**
     * Answers an open question with a [payload] that matches its `responseSchema`, or cancels it with null. Returns the run
     * that goes on. The first answer counts: another one is refused, the same one again gets the same run.
     */
    public suspend fun answer(interruptId: String, payload: JsonElement?): Accepted {
        val body = buildJsonObject {
            put("status", if (payload == null) "cancelled" else "resolved")
            payload?.let { put("payload", it) }
        }
        val request = Request.Builder().url(url("interrupts", interruptId) {})
        return accepted(request.post(body.toString().toRequestBody(JSON_TYPE)))
    }

    /** What an agent can do, as AG-UI's `AgentCapabilities`; a member that is missing is unknown. */
    public suspend fun capabilities(agent: String? = null): JsonObject {
        val url = root.newBuilder().addPathSegments("send-message/capabilities")
        agent?.let { url.addQueryParameter("agent", it) }
        return answered(Request.Builder().url(url.build()))
    }

    /**
     * Registers this app for notifications, or again: at each start, and when another user signs in, whose it is from then
     * on. [token] is that of Firebase Cloud Messaging (`onNewToken`), [include] what it gets of the content, such as
     * `answer`. Returns the device, whose `id` [removeDevice] takes.
     */
    public suspend fun registerDevice(
        token: String,
        kind: String = "fcm",
        name: String? = null,
        include: List<String> = emptyList(),
    ): JsonObject {
        val body = buildJsonObject {
            put("kind", kind)
            put("token", token)
            name?.let { put("name", it) }
            putJsonArray("include") { include.forEach { add(it) } }
        }
        val request = Request.Builder().url(devices()).post(body.toString().toRequestBody(JSON_TYPE))
        return retried { answered(request) }
    }

    /** The user's `devices`, and the `kinds` that the deployment notifies. */
    public suspend fun listDevices(): JsonObject = answered(Request.Builder().url(devices()))

    /** Has a device get no notifications any more, if it is the user's: before a sign-out. */
    public suspend fun removeDevice(id: String) {
        val request = Request.Builder().url(devices(id)).delete()
        retried { ask(request, silence).close() }
    }

    private suspend fun accepted(request: Request.Builder): Accepted {
        val answer = answered(request)
        return Accepted(answer.getValue("threadId"), answer.getValue("runId"))
    }

    /** Does what may be done again, as its answer may have been lost. */
    private suspend fun <T> retried(attempt: suspend () -> T): T {
        val patience = Patience(pause)
        while (true) {
            try {
                return attempt()
            } catch (failure: YarrowException) {
                patience.wait(failure)
            }
        }
    }

    private fun devices(id: String? = null): HttpUrl =
        root.newBuilder().addPathSegments("api/v1/devices").apply { id?.let { addPathSegment(it) } }.build()

    private fun url(vararg segments: String, more: HttpUrl.Builder.() -> Unit): HttpUrl =
        api.newBuilder().apply { segments.forEach { addPathSegment(it) } }.apply(more).build()

    private suspend fun answered(request: Request.Builder): JsonObject =
        ask(request, silence).use { parsed(it.text()) } ?: throw Dropped("the answer is no JSON object")

    /** The answer of the service, if it is a good one; a token that is refused is replaced once. */
    private suspend fun ask(request: Request.Builder, limit: Duration = Duration.ZERO): Exchange {
        var token = token(null)
        var isFirst = true
        while (true) {
            val call = http.newCall(request.header("Authorization", "Bearer $token").build())
            call.timeout().timeout(limit.inWholeMilliseconds, MILLISECONDS)
            val exchange = Exchange(call, call.blocking { call.execute() })
            if (exchange.response.isSuccessful) return exchange
            val refused = exchange.use { it.refusal() }
            if (refused.status != 401 || !isFirst) throw refused
            token = token(token)
            isFirst = false
        }
    }
}

private fun JsonObject.getValue(name: String) = text(name) ?: throw Dropped("the answer has no $name")

private fun Frame.stored(): StoredEvent? =
    data?.let { StoredEvent(id?.toLongOrNull() ?: 0, Json.parseToJsonElement(it).jsonObject) }
