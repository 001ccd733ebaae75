package com.example.chat

import java.io.IOException
import java.security.MessageDigest
import java.security.SecureRandom
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import okhttp3.FormBody
import okhttp3.HttpUrl
import okhttp3.HttpUrl.Companion.toHttpUrl
import okhttp3.OkHttpClient
import okhttp3.Request
import okio.ByteString.Companion.decodeBase64
import okio.ByteString.Companion.toByteString
import yarrow.Dropped

/** Nobody is signed in, or not any more. */
class SignedOut : Exception("nobody is signed in")

/** Somebody else's redirect, or one that the issuer did not mean for this sign-in. */
class NotOurs(message: String) : Exception(message)

/** The issuer, and this app as it is registered there: a native client, without a secret. */
data class Registration(
    val issuer: String,
    val clientId: String,
    val redirect: String,
    val scope: String = "openid profile offline_access",
    /** The token whose audience is the deployment's `OidcAudience`: with many issuers this is `access_token`. */
    val bearer: String = "id_token",
)

/** Keeps the refresh token: on Android encrypted by a key of the Keystore. */
interface Vault {
    fun read(): String?

    fun write(token: String?)
}

/** Signs a user in with the authorization code and PKCE, in the system's browser, and renews the token. */
class SignIn(private val app: Registration, private val vault: Vault, private val http: OkHttpClient) {
    private class Attempt(val verifier: String, val state: String, val nonce: String)

    private val mutex = Mutex()
    private var attempt: Attempt? = null
    private var token: String? = null
    private var endpoints: JsonObject? = null

    /** The address to open in a Custom Tab, never in a web view. */
    suspend fun begin(): String {
        val begun = Attempt(secret(), secret(), secret()).also { attempt = it }
        return endpoint("authorization_endpoint").newBuilder()
            .addQueryParameter("response_type", "code")
            .addQueryParameter("client_id", app.clientId)
            .addQueryParameter("redirect_uri", app.redirect)
            .addQueryParameter("scope", app.scope)
            .addQueryParameter("state", begun.state)
            .addQueryParameter("nonce", begun.nonce)
            .addQueryParameter("code_challenge", challenge(begun.verifier))
            .addQueryParameter("code_challenge_method", "S256")
            .build().toString()
    }

    /** Takes the address that the browser came back with, such as `com.example.chat:/signed-in?code=…&state=…`. */
    suspend fun finish(redirected: String) {
        // OkHttp's addresses are of http; only the query matters here.
        val query = "https://app.invalid/?${redirected.substringAfter('?', "")}".toHttpUrl()
        val begun = attempt
        // Any app can open this one with an address; only the one that was sent has the state.
        if (begun == null || query.queryParameter("state") != begun.state) throw NotOurs("no sign-in with this state")
        attempt = null
        query.queryParameter("error")?.let { throw NotOurs("the issuer answered $it") }
        val code = query.queryParameter("code") ?: throw NotOurs("the issuer gave no code")
        val form = FormBody.Builder().add("grant_type", "authorization_code").add("code", code)
            .add("redirect_uri", app.redirect).add("code_verifier", begun.verifier)
        mutex.withLock {
            val granted = exchange(form)
            if (claims(granted.text("id_token")).text("nonce") != begun.nonce) throw NotOurs("a token of another sign-in")
            keep(granted)
        }
    }

    /** The token for `Yarrow`: the present one, or a new one for the one that was refused. */
    suspend fun token(refused: String?): String = mutex.withLock {
        // One at a time: an issuer takes the second use of a refresh token for theft.
        token?.takeIf { it != refused } ?: run {
            val refresh = vault.read() ?: throw SignedOut()
            keep(exchange(FormBody.Builder().add("grant_type", "refresh_token").add("refresh_token", refresh)))
        }
    }

    fun isSignedIn(): Boolean = vault.read() != null

    /** Forgets the user; remove the device first, as long as its token is valid. */
    suspend fun signOut() = mutex.withLock {
        token = null
        vault.write(null)
    }

    private fun keep(granted: JsonObject): String {
        granted.text("refresh_token").ifEmpty { null }?.let(vault::write)
        return granted.text(app.bearer).ifEmpty { throw SignedOut() }.also { token = it }
    }

    private suspend fun exchange(form: FormBody.Builder): JsonObject {
        val body = form.add("client_id", app.clientId).build()
        val (status, answer) = answered(Request.Builder().url(endpoint("token_endpoint")).post(body).build())
        return when (status) {
            200 -> answer ?: throw Dropped("the issuer's answer is no JSON object")
            // The refresh token was used, revoked or has expired: only its user can give another one.
            in 400..499 -> throw SignedOut().also { token = null; vault.write(null) }
            else -> throw Dropped("the issuer answered $status")
        }
    }

    private suspend fun endpoint(name: String): HttpUrl {
        val known = endpoints ?: run {
            val url = "${app.issuer.trimEnd('/')}/.well-known/openid-configuration"
            val (_, found) = answered(Request.Builder().url(url).build())
            if (found?.text("issuer") != app.issuer) throw Dropped("${app.issuer} describes another issuer")
            found.also { endpoints = it }
        }
        return known.text(name).toHttpUrl()
    }

    /** A broken connection is `Dropped`, as it is for the client, which then tries again. */
    private suspend fun answered(request: Request): Pair<Int, JsonObject?> = withContext(Dispatchers.IO) {
        try {
            http.newCall(request).execute().use { it.code to json(it.body.string()) }
        } catch (broken: IOException) {
            throw Dropped(cause = broken)
        }
    }
}

private fun secret(): String = base64(ByteArray(32).also { SecureRandom().nextBytes(it) })

internal fun challenge(verifier: String): String =
    base64(MessageDigest.getInstance("SHA-256").digest(verifier.toByteArray(Charsets.US_ASCII)))

private fun base64(bytes: ByteArray): String = bytes.toByteString().base64Url().trimEnd('=')

/** Of a token that came from the issuer itself, over TLS: OpenID Connect needs no check of its signature then. */
private fun claims(token: String): JsonObject =
    token.split('.').getOrNull(1)?.decodeBase64()?.let { json(it.utf8()) } ?: throw NotOurs("the issuer gave no id token")

private fun json(text: String): JsonObject? =
    try {
        Json.parseToJsonElement(text) as? JsonObject
    } catch (_: SerializationException) {
        null
    }
