package com.example.chat

import java.io.File
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import yarrow.Yarrow

/** This phone, as the service notifies it; [file] keeps the id by which it is removed. */
class Device(private val yarrow: Yarrow, private val file: File) {
    /** At each start and sign-in, and when Firebase gives another [token]. [name] tells the user's devices apart. */
    suspend fun register(token: String, name: String) {
        val device = yarrow.registerDevice(token, name = name, include = listOf("answer"))
        withContext(Dispatchers.IO) { file.writeText(device.text("id")) }
    }

    /** Before a sign-out, as long as the token is valid. */
    suspend fun remove() {
        val id = withContext(Dispatchers.IO) { if (file.exists()) file.readText() else null } ?: return
        yarrow.removeDevice(id)
        withContext(Dispatchers.IO) { file.delete() }
    }
}
