package com.example.chat

import com.google.firebase.messaging.FirebaseMessagingService

/** Firebase shows the notifications itself, by the words in `strings.xml`; only a new token concerns the app. */
class Messages : FirebaseMessagingService() {
    override fun onNewToken(token: String) {
        val app = application as ChatApplication
        if (app.isSignedIn.value) app.registerDevice()
    }
}
