package com.example.chat

import java.io.File
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.addJsonArray
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonArray
import okhttp3.OkHttpClient
import yarrow.Yarrow

private class FileVault(private val file: File) : Vault {
    override fun read() = file.takeIf { it.exists() }?.readText()

    override fun write(token: String?) {
        if (token == null) file.delete() else file.writeText(token)
    }
}

/**
 * The sample as a process: `DriverKt API ISSUER AGENT FOLDER`. A line of its input is a task and its text, a line of its output the
 * answer: `begin` the address of the sign-in, `finish ADDRESS`, `shows TEXT` the conversation once it has the text, `ends` the
 * conversation once no run is going on, `send TEXT`, and `stop`. A session in the folder goes on at the start.
 */
fun main(arguments: Array<String>) = runBlocking {
    val (api, issuer, agent, folder) = arguments
    val http = OkHttpClient()
    val signIn = SignIn(Registration(issuer, "yarrow", issuer.removeSuffix("local")), FileVault(File(folder, "vault")), http)
    val chat = Chat(Yarrow(api, http) { signIn.token(it) }, File(folder), agent)
    val watching = if (signIn.isSignedIn()) launch(Dispatchers.Default) { chat.watch() } else null
    val begun = mutableListOf(watching)
    while (true) {
        val (task, text) = readlnOrNull()?.split(' ', limit = 2)?.let { it[0] to it.getOrElse(1) { "" } } ?: break
        when (task) {
            "begin" -> println(signIn.begin())
            "finish" -> println(signIn.finish(text).also { begun += launch(Dispatchers.Default) { chat.watch() } })
            "send" -> println(chat.send(text))
            "stop" -> println(chat.stop())
            "shows" -> println(said(chat.conversation.first { shown -> shown.messages.any { text in it.text } }))
            "ends" -> println(said(chat.conversation.first { it.messages.isNotEmpty() && !it.isBusy }))
        }
    }
    begun.forEach { it?.cancel() }
    http.dispatcher.executorService.shutdown()
}

private fun said(conversation: Conversation) = buildJsonArray {
    for (message in conversation.messages) addJsonArray { add(message.kind.name); add(message.text) }
}
