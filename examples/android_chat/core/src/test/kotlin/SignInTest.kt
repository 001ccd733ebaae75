package com.example.chat

import java.util.Base64
import kotlin.test.AfterTest
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNull
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import mockwebserver3.Dispatcher
import mockwebserver3.MockResponse
import mockwebserver3.MockWebServer
import mockwebserver3.RecordedRequest
import okhttp3.HttpUrl.Companion.toHttpUrl
import okhttp3.OkHttpClient
import yarrow.Dropped

private const val REDIRECT = "com.example.chat:/signed-in"

class SignInTest {
    private class MemoryVault : Vault {
        var token: String? = null

        override fun read() = token

        override fun write(token: String?) {
            this.token = token
        }
    }

    private val forms = mutableListOf<Map<String, String?>>()
    private var nonce = ""
    private var status = 200
    private val issuer = MockWebServer().apply {
        dispatcher = object : Dispatcher() {
            override fun dispatch(request: RecordedRequest): MockResponse = answer(request)
        }
        start()
    }
    private val name = issuer.url("/pool").toString()
    private val vault = MemoryVault()
    private val signIn = SignIn(Registration(name, "chat", REDIRECT), vault, OkHttpClient())

    @AfterTest
    fun close() = issuer.close()

    /** As an issuer that replaces a refresh token at each use, and refuses its second one. */
    @Synchronized
    private fun answer(request: RecordedRequest): MockResponse {
        if (request.target == "/pool/.well-known/openid-configuration") {
            val (authorize, token) = listOf("authorize", "token").map { issuer.url("/$it") }
            val body = """{"issuer":"$name","authorization_endpoint":"$authorize","token_endpoint":"$token"}"""
            return MockResponse.Builder().body(body).build()
        }
        val form = "http://form/?${request.body?.utf8()}".toHttpUrl().let { url ->
            url.queryParameterNames.associateWith { url.queryParameter(it) }
        }
        forms += form
        val isUsed = form["refresh_token"].let { used -> used != null && forms.count { it["refresh_token"] == used } > 1 }
        if (isUsed) return MockResponse.Builder().code(400).body("""{"error":"invalid_grant"}""").build()
        val claims = Base64.getUrlEncoder().withoutPadding().encodeToString("""{"nonce":"$nonce"}""".toByteArray())
        val body = """{"id_token":"h.$claims.${forms.size}","refresh_token":"refresh-${forms.size}"}"""
        return MockResponse.Builder().code(status).body(body).build()
    }

    private suspend fun begun() = signIn.begin().toHttpUrl().also { nonce = it.queryParameter("nonce")!! }

    private suspend fun signedIn() = begun().let { signIn.finish("$REDIRECT?code=k&state=${it.queryParameter("state")}") }

    @Test
    fun `a code is exchanged with the verifier of its challenge, and no secret`() = runBlocking {
        val address = begun()
        assertEquals("S256" to "code", address.queryParameter("code_challenge_method") to address.queryParameter("response_type"))
        signIn.finish("$REDIRECT?code=a%2Bb&state=${address.queryParameter("state")}")
        val form = forms.single()
        assertEquals(setOf("grant_type", "code", "redirect_uri", "code_verifier", "client_id"), form.keys)
        assertEquals(Triple("a+b", REDIRECT, "chat"), Triple(form["code"], form["redirect_uri"], form["client_id"]))
        assertEquals(address.queryParameter("code_challenge"), challenge(form["code_verifier"]!!))
        assertEquals("1", signIn.token(null).substringAfterLast('.'))
        assertEquals("refresh-1", vault.token)
    }

    @Test
    fun `the challenge is that of the standard`() {
        // RFC 7636, appendix B.
        assertEquals("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    }

    @Test
    fun `a redirect that this sign-in did not ask for is not taken`() = runBlocking<Unit> {
        assertFailsWith<NotOurs> { signIn.finish("$REDIRECT?code=k&state=") }
        val state = begun().queryParameter("state")
        for (address in listOf("$REDIRECT?code=k&state=forged", REDIRECT)) assertFailsWith<NotOurs> { signIn.finish(address) }
        assertEquals(emptyList(), forms)
        nonce = "of another sign-in"
        assertFailsWith<NotOurs> { signIn.finish("$REDIRECT?code=k&state=$state") }
        assertFailsWith<NotOurs> { signIn.finish("$REDIRECT?code=k&state=$state") } // once
        assertNull(vault.token)
        val denied = begun().queryParameter("state")
        assertFailsWith<NotOurs> { signIn.finish("$REDIRECT?error=access_denied&state=$denied") }
    }

    @Test
    fun `a refused token is renewed once, however many requests were refused with it`() = runBlocking {
        signedIn()
        val old = signIn.token(null)
        val renewed = List(5) { async { signIn.token(old) } }.awaitAll().toSet()
        assertEquals(1, renewed.size)
        assertEquals(listOf("refresh-1"), forms.drop(1).map { it["refresh_token"] })
        assertEquals("refresh-2", vault.token)
    }

    @Test
    fun `an issuer that is away signs nobody out, one that refuses does`() = runBlocking<Unit> {
        signedIn()
        status = 503
        assertFailsWith<Dropped> { signIn.token(signIn.token(null)) }
        assertEquals("refresh-1", vault.token)
        assertFailsWith<SignedOut> { signIn.token(signIn.token(null)) } // the same refresh token again
        assertNull(vault.token)
        assertFailsWith<SignedOut> { signIn.token(null) }
    }

    @Test
    fun `the configuration has to be of the issuer itself`() = runBlocking<Unit> {
        val other = SignIn(Registration(name.replace("/pool", "/pool/"), "chat", REDIRECT), vault, OkHttpClient())
        assertFailsWith<Dropped> { other.begin() }
    }
}
