package yarrow

import kotlin.math.min
import kotlin.math.pow
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

private val PASSING = setOf(408, 429, 500, 502, 503, 504)
private const val FIRST_WAIT = 500L // milliseconds
private const val LONGEST_WAIT = 30_000.0
private const val MOST_FAILURES = 20

/** How long to wait before the next connection, and whether there is one. */
internal class Patience(private val pause: suspend (Duration) -> Unit, private val random: Random = Random.Default) {
    private var retry = FIRST_WAIT
    private var failures = 0

    /** The connection works; `milliseconds` are those of a `retry:`. */
    fun heard(milliseconds: Long?) {
        failures = 0
        if (milliseconds != null) retry = milliseconds
    }

    /** Waits after a stream that ended, or that failed; throws a failure that will not pass. */
    suspend fun wait(failure: YarrowException?) {
        if (failure != null && (!passes(failure) || ++failures > MOST_FAILURES)) throw failure
        val asked = (failure as? Refused)?.retryAfter?.takeIf(Duration::isPositive)
        val growing = min(retry * 2.0.pow(maxOf(0, failures - 1)), LONGEST_WAIT)
        // Of many that were refused together, not all come back at the same moment.
        val jitter = random.nextDouble() / 2
        pause(asked?.let { maxOf(it, growing.milliseconds) * (1 + jitter) } ?: (growing * (0.5 + jitter)).milliseconds)
    }

    private fun passes(failure: YarrowException) = failure is Dropped || (failure as Refused).status in PASSING
}
