package yarrow

import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.select

/** The runs that a client watches. The service sends a watch away while its run sleeps; a cancel of one's own wakes it. */
internal class Watches {
    private val wakes = ConcurrentHashMap<Wake, Accepted>()

    /** Does what watches [run], whose waits [wake] ends. */
    suspend fun during(run: Accepted, watching: suspend (Wake) -> Unit) {
        val wake = Wake()
        wakes[wake] = run
        try {
            watching(wake)
        } finally {
            wakes.remove(wake)
        }
    }

    /** Ends the waits of the watches of [run]. */
    fun wake(run: Accepted) = wakes.forEach { (wake, watched) -> if (watched == run) wake.now() }
}

/** Ends the wait of one watch; between two waits, the next one. */
internal class Wake {
    private val signal = Channel<Unit>(Channel.CONFLATED)

    fun now() {
        signal.trySend(Unit)
    }

    /** Does [pause], unless or until it is woken. */
    suspend fun orAfter(pause: suspend () -> Unit) = coroutineScope {
        val pausing = launch { pause() }
        select {
            signal.onReceive { pausing.cancel() }
            pausing.onJoin {}
        }
    }
}
