package yarrow

import kotlin.time.Duration

/** Why a call or a flow of [Yarrow] ended early. */
public sealed class YarrowException(message: String, cause: Throwable?) : Exception(message, cause)

/**
 * The service refuses: [status] of HTTP, [code] of `docs/errors.md`, and how long its `Retry-After` says to wait.
 */
public class Refused(
    public val status: Int,
    public val code: String?,
    message: String,
    public val retryAfter: Duration? = null,
) : YarrowException(message, null)

/** The connection broke; thrown after more than 20 failures in a row. */
public class Dropped(message: String = "the connection was lost", cause: Throwable? = null) :
    YarrowException(message, cause)
