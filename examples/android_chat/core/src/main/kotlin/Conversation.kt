package com.example.chat

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull

/** One entry of a conversation. */
data class Message(val id: String, val kind: Kind, val text: String) {
    enum class Kind { USER, ASSISTANT, TOOL }
}

/** Why nothing comes: the service's own words, or a cause that the app has words for. */
sealed interface Notice {
    data class Said(val text: String) : Notice

    data object Unreachable : Notice

    data object SignedOut : Notice
}

/** What the screen shows. Each event makes the next one, so that showing an event twice changes nothing. */
data class Conversation(
    val messages: List<Message> = emptyList(),
    val isBusy: Boolean = false,
    val notice: Notice? = null,
) {
    /** With a message, in the place of the one that has its id. */
    fun with(message: Message): Conversation {
        val index = messages.indexOfLast { it.id == message.id }
        return copy(messages = if (index < 0) messages + message else messages.toMutableList().apply { set(index, message) })
    }

    /** After an event of a run; of those that are not listed, a chat needs none. */
    fun after(event: JsonObject): Conversation = when (event.text("type")) {
        "TEXT_MESSAGE_START" -> with(Message(event.text("messageId"), Message.Kind.ASSISTANT, ""))
        "TEXT_MESSAGE_CONTENT" -> appended(event.text("messageId"), event.text("delta"))
        "TOOL_CALL_START" -> with(Message(event.text("toolCallId"), Message.Kind.TOOL, "${event.text("toolCallName")} …"))
        "TOOL_CALL_RESULT" -> appended(event.text("toolCallId"), " ✓")
        "RUN_ERROR" -> copy(notice = Notice.Said(event.text("message")))
        else -> this
    }

    /** With the messages of a history, each behind the one that it follows there; those that are shown stay as they are. */
    fun with(history: JsonObject): Conversation {
        val merged = messages.toMutableList()
        var next = 0
        for (message in history.array("messages").mapNotNull(::message)) {
            val index = merged.indexOfFirst { it.id == message.id }
            if (index < 0) merged.add(next, message)
            next = (if (index < 0) next else index) + 1
        }
        return copy(messages = merged)
    }

    private fun appended(id: String, text: String): Conversation =
        messages.lastOrNull { it.id == id }?.let { with(it.copy(text = it.text + text)) } ?: this
}

/** A message of a history or of a request; null for one that the chat does not show. */
internal fun message(element: JsonElement): Message? {
    val message = element as? JsonObject ?: return null
    val kind = when (message.text("role")) {
        "user" -> Message.Kind.USER
        "assistant" -> Message.Kind.ASSISTANT
        else -> return null
    }
    return Message(message.text("id"), kind, message.text("content"))
}

internal fun JsonObject.text(name: String): String = (get(name) as? JsonPrimitive)?.contentOrNull.orEmpty()

internal fun JsonObject.array(name: String): JsonArray = get(name) as? JsonArray ?: JsonArray(emptyList())
