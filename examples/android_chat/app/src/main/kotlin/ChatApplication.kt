package com.example.chat

import android.app.Application
import android.app.NotificationChannel
import android.app.NotificationManager
import android.os.Build
import com.google.firebase.FirebaseApp
import com.google.firebase.messaging.FirebaseMessaging
import java.io.File
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.launch
import okhttp3.OkHttpClient
import yarrow.Yarrow
import yarrow.YarrowException

private const val REDIRECT = "com.example.chat:/signed-in"

/** What lives as long as the process: the client, the user and the conversation. */
class ChatApplication : Application() {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val http = OkHttpClient()
    private val local = LocalUser(BuildConfig.API, "alice", http)
    private val yarrow = Yarrow(BuildConfig.API, http, ::token)
    private val device by lazy { Device(yarrow, File(filesDir, "device")) }

    val signIn by lazy { SignIn(Registration(BuildConfig.ISSUER, BuildConfig.CLIENT_ID, REDIRECT), KeystoreVault(this), http) }
    val chat by lazy { Chat(yarrow, File(filesDir, "chat"), BuildConfig.AGENT) }

    private val signedIn by lazy { MutableStateFlow(BuildConfig.ISSUER.isEmpty() || signIn.isSignedIn()) }
    val isSignedIn: StateFlow<Boolean>
        get() = signedIn

    override fun onCreate() {
        super.onCreate()
        if (Build.VERSION.SDK_INT >= 26) {
            val importance = NotificationManager.IMPORTANCE_DEFAULT
            val channel = NotificationChannel(getString(R.string.channel), getString(R.string.channel_name), importance)
            getSystemService(NotificationManager::class.java).createNotificationChannel(channel)
        }
        if (isSignedIn.value) registerDevice()
    }

    /** Takes the address of the redirect; false if it is none of this sign-in. */
    suspend fun finishSignIn(redirected: String): Boolean {
        try {
            signIn.finish(redirected)
        } catch (_: NotOurs) {
            return false
        } catch (_: SignedOut) {
            return false
        } catch (_: YarrowException) {
            return false
        }
        signedIn.value = true
        registerDevice()
        return true
    }

    /** Leaves nothing of the user on the phone. Without a network the device stays registered, and is forgotten after 90 days. */
    suspend fun signOut() {
        try {
            device.remove()
        } catch (_: YarrowException) {
        } catch (_: SignedOut) {
        }
        chat.beginAnew()
        signIn.signOut()
        signedIn.value = BuildConfig.ISSUER.isEmpty()
    }

    /** At each start and sign-in, and when Firebase gives another token. */
    fun registerDevice() {
        if (FirebaseApp.getApps(this).isEmpty()) return // no google-services.json
        FirebaseMessaging.getInstance().token.addOnSuccessListener { token ->
            scope.launch {
                try {
                    device.register(token, Build.MODEL)
                } catch (_: YarrowException) {
                    // The next start registers it.
                } catch (_: SignedOut) {
                }
            }
        }
    }

    private suspend fun token(refused: String?) =
        if (BuildConfig.ISSUER.isEmpty()) local.token(refused) else signIn.token(refused)
}
