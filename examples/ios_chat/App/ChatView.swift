import AuthenticationServices
import ChatCore
import SwiftUI
import UserNotifications

struct ContentView: View {
    @ObservedObject var app: AppModel
    @ObservedObject var chat: Chat
    @Environment(\.webAuthenticationSession) private var browser
    @State private var problem: LocalizedStringKey?

    var body: some View {
        NavigationStack {
            if app.isSignedIn {
                ChatView(chat: chat, signIn: signIn)
                    .toolbar {
                        ToolbarItem(placement: .topBarLeading) { Button("New conversation") { chat.beginAnew() } }
                        ToolbarItem(placement: .topBarTrailing) { Button("Sign out") { Task { await app.signOut() } } }
                    }
            } else {
                VStack(spacing: 12) {
                    Button("Sign in", action: signIn).buttonStyle(.borderedProminent)
                    if let problem { Text(problem).foregroundStyle(.secondary) }
                }
            }
        }
    }

    private func signIn() {
        Task {
            problem = nil
            do {
                let address = try await app.signIn.begin()
                let redirected = try await browser.authenticate(using: address, callbackURLScheme: Deployment.scheme)
                try await app.finishSignIn(redirected)
            } catch ASWebAuthenticationSessionError.canceledLogin {
                return
            } catch {
                problem = "The sign-in did not succeed."
            }
        }
    }
}

struct ChatView: View {
    /// What is to be followed; `task` begins anew when it changes, and ends when the view does.
    private struct Following: Equatable {
        let isActive: Bool
        let turn: Int
    }

    @ObservedObject var chat: Chat
    let signIn: () -> Void
    @Environment(\.scenePhase) private var phase

    var body: some View {
        VStack(spacing: 0) {
            Messages(messages: chat.conversation.messages)
            if let notice = chat.conversation.notice { NoticeRow(notice: notice, chat: chat, signIn: signIn) }
            Composer(chat: chat)
        }
        .task(id: phase) { if phase == .active { await chat.readHistory() } }
        .task(id: Following(isActive: phase == .active, turn: chat.turn)) { if phase == .active { await chat.follow() } }
    }
}

private struct Messages: View {
    let messages: [Message]

    var body: some View {
        ScrollViewReader { scroll in
            ScrollView {
                LazyVStack(spacing: 12) { ForEach(messages) { MessageRow(message: $0) } }.padding()
            }
            .onChange(of: messages.last) { last in
                if let last { scroll.scrollTo(last.id, anchor: .bottom) }
            }
        }
    }
}

private struct MessageRow: View {
    let message: Message

    var body: some View {
        // `verbatim`, so that nothing is formatted: what a model says is a stranger's input.
        let text = Text(verbatim: message.text).textSelection(.enabled)
        switch message.kind {
        case .tool: text.font(.footnote).foregroundStyle(.secondary).frame(maxWidth: .infinity, alignment: .leading)
        case .assistant: text.frame(maxWidth: .infinity, alignment: .leading)
        case .user:
            text.padding(12).background(.tint.opacity(0.15), in: RoundedRectangle(cornerRadius: 12))
                .frame(maxWidth: .infinity, alignment: .trailing)
        }
    }
}

private struct NoticeRow: View {
    let notice: Notice
    let chat: Chat
    let signIn: () -> Void

    var body: some View {
        HStack {
            switch notice {
            case .said(let words): Text(verbatim: words)
            case .unreachable:
                Text("The service cannot be reached.")
                Button("Try again") { chat.tryAgain() }
            case .signedOut:
                Text("You are signed out.")
                Button("Sign in", action: signIn)
            }
        }
        .font(.footnote).padding(.horizontal)
    }
}

private struct Composer: View {
    @ObservedObject var chat: Chat
    @State private var text = ""

    var body: some View {
        HStack(alignment: .bottom) {
            TextField("Message", text: $text, axis: .vertical).lineLimit(1...5).textFieldStyle(.roundedBorder)
            if chat.conversation.isBusy {
                Button("Stop") { Task { await chat.stop() } }
            } else {
                Button("Send", action: send).disabled(text.allSatisfy(\.isWhitespace))
            }
        }
        .padding()
    }

    private func send() {
        let words = text
        text = ""
        Task {
            await chat.send(words)
            // Asked for when it is plain what for.
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound])
        }
    }
}
