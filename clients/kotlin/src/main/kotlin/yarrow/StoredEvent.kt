package yarrow

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.contentOrNull

/** An event of a run, with its number in it. */
public data class StoredEvent(public val id: Long, public val event: JsonObject) {
    public val type: String
        get() = (event["type"] as? JsonPrimitive)?.contentOrNull.orEmpty()

    /** Whether it ends its run. */
    public val isTerminal: Boolean
        get() = type == "RUN_FINISHED" || type == "RUN_ERROR"
}
