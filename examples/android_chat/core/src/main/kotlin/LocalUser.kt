package com.example.chat

import java.io.IOException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import yarrow.Dropped

/** A user of the stack that `make run` starts, which gives a token to whoever asks: only for builds under development. */
class LocalUser(private val api: String, private val name: String, private val http: OkHttpClient) {
    private var token: String? = null

    suspend fun token(refused: String?): String = token?.takeIf { it != refused } ?: withContext(Dispatchers.IO) {
        val request = Request.Builder().url("$api/local/token").post("""{"sub":"$name"}""".toRequestBody())
        try {
            http.newCall(request.build()).execute().use { Json.parseToJsonElement(it.body.string()).jsonObject.text("token") }
        } catch (broken: IOException) {
            throw Dropped(cause = broken)
        }
    }.also { token = it }
}
