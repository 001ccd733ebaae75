package yarrow

import kotlinx.serialization.json.JsonObject

/**
 * Where one run is kept, so that it goes on after the death of the process: its input before it is submitted, and every
 * event with its number before it is shown.
 *
 * An application with a database writes what it shows and the number in one transaction of [append]; its [load] may
 * then leave the events out.
 */
public interface RunStore {
    /** Keeps a run that is to be submitted; returns once it is on the disk. */
    public suspend fun begin(input: JsonObject, agent: String? = null)

    /** Keeps an event; one that is kept already is ignored. */
    public suspend fun append(event: StoredEvent)

    /** What is kept; null where no run was begun. */
    public suspend fun load(): KeptRun?
}

/** A run on the disk; [last] is the number of the last event that is kept. */
public data class KeptRun(
    public val input: JsonObject,
    public val agent: String?,
    public val events: List<StoredEvent>,
    public val last: Long = events.lastOrNull()?.id ?: 0,
    public val isEnded: Boolean = events.lastOrNull()?.isTerminal ?: false,
) {
    public val threadId: String
        get() = requireNotNull(input.text("threadId")) { "an input that is kept has a threadId" }

    public val runId: String
        get() = requireNotNull(input.text("runId")) { "an input that is kept has a runId" }
}
