package com.example.chat

import android.Manifest
import android.content.Intent
import android.net.ConnectivityManager
import android.net.Network
import android.os.Build
import android.os.Bundle
import android.widget.Toast
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.activity.enableEdgeToEdge
import androidx.activity.result.contract.ActivityResultContracts
import androidx.browser.customtabs.CustomTabsIntent
import androidx.compose.foundation.isSystemInDarkTheme
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.darkColorScheme
import androidx.compose.material3.lightColorScheme
import androidx.compose.runtime.getValue
import androidx.core.net.toUri
import androidx.lifecycle.Lifecycle
import androidx.lifecycle.compose.collectAsStateWithLifecycle
import androidx.lifecycle.lifecycleScope
import androidx.lifecycle.repeatOnLifecycle
import kotlinx.coroutines.flow.collectLatest
import kotlinx.coroutines.launch
import yarrow.YarrowException

/** The one screen. It watches while it is seen, and leaves the stream when it is not. */
class ChatActivity : ComponentActivity() {
    private val app get() = application as ChatApplication
    private val connectivity get() = getSystemService(ConnectivityManager::class.java)
    private val notifications = registerForActivityResult(ActivityResultContracts.RequestPermission()) {}

    private val networkIsBack = object : ConnectivityManager.NetworkCallback() {
        override fun onAvailable(network: Network) = app.chat.tryAgain()
    }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        enableEdgeToEdge()
        if (savedInstanceState == null) onNewIntent(intent)
        lifecycleScope.launch {
            repeatOnLifecycle(Lifecycle.State.STARTED) {
                app.isSignedIn.collectLatest { if (it) app.chat.watch() }
            }
        }
        setContent {
            MaterialTheme(if (isSystemInDarkTheme()) darkColorScheme() else lightColorScheme()) {
                val conversation by app.chat.conversation.collectAsStateWithLifecycle()
                val isSignedIn by app.isSignedIn.collectAsStateWithLifecycle()
                if (isSignedIn) ChatScreen(conversation, actions) else SignInScreen(::beginSignIn)
            }
        }
    }

    override fun onStart() {
        super.onStart()
        connectivity.registerDefaultNetworkCallback(networkIsBack)
    }

    override fun onStop() {
        connectivity.unregisterNetworkCallback(networkIsBack)
        super.onStop()
    }

    /** The issuer's redirect, in a custom scheme. */
    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        val redirected = intent.dataString ?: return
        lifecycleScope.launch { if (!app.finishSignIn(redirected)) say(R.string.not_signed_in) }
    }

    private val actions = ChatActions(
        send = { text ->
            lifecycleScope.launch { app.chat.send(text) }
            // Asked for when it is plain what for.
            if (Build.VERSION.SDK_INT >= 33) notifications.launch(Manifest.permission.POST_NOTIFICATIONS)
        },
        stop = { lifecycleScope.launch { app.chat.stop() } },
        tryAgain = { app.chat.tryAgain() },
        beginAnew = { lifecycleScope.launch { app.chat.beginAnew() } },
        signIn = ::beginSignIn,
        signOut = { lifecycleScope.launch { app.signOut() } },
    )

    private fun beginSignIn() {
        lifecycleScope.launch {
            try {
                CustomTabsIntent.Builder().build().launchUrl(this@ChatActivity, app.signIn.begin().toUri())
            } catch (_: YarrowException) {
                say(R.string.unreachable)
            }
        }
    }

    private fun say(text: Int) = Toast.makeText(this, text, Toast.LENGTH_LONG).show()
}
