package com.example.chat

import com.example.chat.Message.Kind.ASSISTANT
import com.example.chat.Message.Kind.TOOL
import com.example.chat.Message.Kind.USER
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject

private fun json(text: String) = Json.parseToJsonElement(text).jsonObject

private val EVENTS = listOf(
    """{"type":"RUN_STARTED"}""",
    """{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"get_current_time"}""",
    """{"type":"TOOL_CALL_RESULT","toolCallId":"c"}""",
    """{"type":"TEXT_MESSAGE_START","messageId":"m"}""",
    """{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"It is "}""",
    """{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"noon."}""",
).map(::json)

class ConversationTest {
    private val asked = Conversation().with(Message("user-r", USER, "Time?"))

    @Test
    fun `events become messages, and the same events again change nothing`() {
        val shown = EVENTS.fold(asked, Conversation::after)
        val messages = listOf(
            Message("user-r", USER, "Time?"), Message("c", TOOL, "get_current_time … ✓"), Message("m", ASSISTANT, "It is noon."),
        )
        assertEquals(messages, shown.messages)
        assertEquals(shown, EVENTS.fold(shown, Conversation::after))
    }

    @Test
    fun `an error is shown in its own words`() {
        val ended = asked.after(json("""{"type":"RUN_ERROR","message":"The run was canceled."}"""))
        assertEquals(Notice.Said("The run was canceled."), ended.notice)
    }

    @Test
    fun `a history fills in what is missing, where it belongs`() {
        val shown = EVENTS.fold(asked, Conversation::after)
        val history = json(
            """{"messages":[{"id":"a","role":"user","content":"Hi"},{"id":"b","role":"assistant","content":"Hello"},
            {"id":"x","role":"tool","content":"{}"},{"id":"user-r","role":"user","content":"Time?"},
            {"id":"m","role":"assistant","content":"It is noon."},{"id":"z","role":"user","content":"of another phone"}]}""",
        )
        val ids = listOf("a", "b", "user-r", "c", "m", "z")
        assertEquals(ids, shown.with(history).messages.map { it.id })
        assertEquals(ids, shown.with(history).with(history).messages.map { it.id })
    }
}
