import ChatCore
import SwiftUI
import UIKit
import UserNotifications
import YarrowClient

/// Fill these in; without an issuer, everybody is Alice on the local stack, which the simulator reaches at 127.0.0.1.
enum Deployment {
    static let api = URL(string: "http://127.0.0.1:3000")!
    static let agent = "assistant"
    static let issuer = ""
    static let clientId = "chat"
    static let scheme = "com.example.chat"
    static let redirect = "\(scheme):/signed-in"
}

@main
struct ChatApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { ContentView(app: delegate.app, chat: delegate.app.chat) }
    }
}

/// What lives as long as the process: the client, the user and the conversation.
@MainActor
final class AppModel: ObservableObject {
    @Published private(set) var isSignedIn: Bool
    let chat: Chat
    let signIn: SignIn
    private let yarrow: Yarrow

    init() {
        let registration = Registration(
            issuer: Deployment.issuer, clientId: Deployment.clientId, redirect: Deployment.redirect)
        let signIn = SignIn(registration, vault: KeychainVault())
        let local = LocalUser(Deployment.api, name: "alice")
        yarrow = Yarrow(url: Deployment.api) { refused in
            if Deployment.issuer.isEmpty { return try await local.token(refused) }
            return try await signIn.token(refused)
        }
        chat = Chat(yarrow, folder: URL.applicationSupportDirectory.appendingPathComponent("chat"), agent: Deployment.agent)
        self.signIn = signIn
        isSignedIn = Deployment.issuer.isEmpty || signIn.isSignedIn
    }

    func finishSignIn(_ redirected: URL) async throws {
        try await signIn.finish(redirected)
        isSignedIn = true
        chat.tryAgain()
        UIApplication.shared.registerForRemoteNotifications()
    }

    /// At each start and sign-in: iOS gives the token again.
    func register(_ token: Data) async {
        guard isSignedIn else { return }
        #if DEBUG
            let isSandbox = true
        #else
            let isSandbox = false
        #endif
        // Otherwise the next start registers it.
        let id = try? await yarrow.registerDevice(
            token, sandbox: isSandbox, name: UIDevice.current.name, include: ["answer"])
        if let id { UserDefaults.standard.set(id, forKey: "device") }
    }

    /// Leaves nothing of the user on the phone. Without a network the device stays registered, and is forgotten after 90 days.
    func signOut() async {
        if let id = UserDefaults.standard.string(forKey: "device") {
            try? await yarrow.removeDevice(id)
            UserDefaults.standard.removeObject(forKey: "device")
        }
        chat.beginAnew()
        await signIn.signOut()
        isSignedIn = Deployment.issuer.isEmpty
    }
}

final class AppDelegate: NSObject, UIApplicationDelegate {
    let app = AppModel()

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        if app.isSignedIn { application.registerForRemoteNotifications() }
        return true
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        Task { await app.register(token) }
    }
}
