package com.example.chat

import java.io.File
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.collectLatest
import kotlinx.coroutines.flow.combine
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject
import yarrow.Dropped
import yarrow.FileRunStore
import yarrow.Refused
import yarrow.Yarrow

/**
 * A conversation with one agent. Its [folder] has what the death of the app must not lose: the session, and the run
 * that is going on with the events that were shown.
 */
class Chat(private val yarrow: Yarrow, private val folder: File, private val agent: String = "assistant") {
    private val state = MutableStateFlow(Conversation())
    val conversation: StateFlow<Conversation> = state.asStateFlow()

    private val session = File(folder, "session")
    private val runFile = File(folder, "run")
    private val run = MutableStateFlow<FileRunStore?>(null)
    private val attempts = MutableStateFlow(0)
    private val one = Mutex() // a file has one store, and a conversation one run

    /**
     * Shows the conversation as it goes on, until it is cancelled. Call it whenever the app comes to the foreground and
     * cancel it when it leaves: an open stream costs battery, and no event is lost meanwhile.
     */
    suspend fun watch() {
        readHistory()
        begun()
        combine(run, attempts) { run, _ -> run }.collectLatest { if (it != null) follow(it) }
    }

    /** Asks. False, and nothing happens, while a run is going on. */
    suspend fun send(text: String): Boolean = one.withLock {
        if (text.isBlank() || opened() != null) return false
        val runId = UUID.randomUUID().toString()
        // On the disk before it is sent: whatever happens now, the next start of the app finds it.
        val store = FileRunStore(runFile)
        store.begin(input(threadId(), runId, text.trim()), agent)
        state.update { it.copy(isBusy = true) }
        run.value = store
        true
    }

    /** Ends the run, on all devices; its last event says so. */
    suspend fun stop() = saying {
        val kept = begun()?.load() ?: return@saying
        yarrow.cancel(kept.threadId, kept.runId)
    }

    /** Goes on after [Notice.Unreachable] or [Notice.SignedOut]: for a button, or when the network is back. */
    fun tryAgain() {
        attempts.update { it + 1 }
    }

    /** Begins a new conversation, and leaves a run of this one alone; also at a sign-out, before somebody else signs in. */
    suspend fun beginAnew() {
        forgetRun()
        withContext(Dispatchers.IO) { session.delete() }
        state.value = Conversation()
    }

    private suspend fun readHistory() = saying {
        val thread = withContext(Dispatchers.IO) { if (session.exists()) session.readText() else null } ?: return@saying
        val history = yarrow.history(thread)
        state.update { it.with(history) }
    }

    private suspend fun follow(run: FileRunStore) {
        state.update { it.copy(isBusy = true, notice = null) }
        run.load()?.input?.array("messages")?.mapNotNull(::message)?.forEach { asked -> state.update { it.with(asked) } }
        val isOver = saying { yarrow.run(run).collect { (_, event) -> state.update { it.after(event) } } }
        if (!isOver) return // it may be going on: `tryAgain`, and the next start of the app, follow it
        forgetRun()
        state.update { it.copy(isBusy = false) }
    }

    /** Does what the service or the network may refuse; false where it can be done later. */
    private suspend fun saying(call: suspend () -> Unit): Boolean {
        val notice = try {
            call()
            return true
        } catch (refused: Refused) {
            state.update { it.copy(notice = Notice.Said(refused.message.orEmpty())) }
            return true
        } catch (_: Dropped) {
            Notice.Unreachable
        } catch (_: SignedOut) {
            Notice.SignedOut
        }
        state.update { it.copy(notice = notice) }
        return false
    }

    /** The run that is going on, or that the last death of the app left, if its input was whole on the disk. */
    private suspend fun begun(): FileRunStore? = one.withLock { opened() }

    private suspend fun opened(): FileRunStore? =
        run.value ?: FileRunStore(runFile).takeIf { it.load() != null }?.also { run.value = it }

    private suspend fun forgetRun() {
        withContext(Dispatchers.IO) { runFile.delete() }
        run.value = null
    }

    private suspend fun threadId(): String = withContext(Dispatchers.IO) {
        if (!session.exists()) {
            folder.mkdirs()
            session.writeText(UUID.randomUUID().toString())
        }
        session.readText()
    }

    private fun input(threadId: String, runId: String, text: String): JsonObject = buildJsonObject {
        put("threadId", threadId)
        put("runId", runId)
        putJsonArray("messages") {
            addJsonObject {
                put("id", "user-$runId")
                put("role", "user")
                put("content", text)
            }
        }
        putJsonObject("forwardedProps") { put("runtime_mode", "chat") }
    }
}
