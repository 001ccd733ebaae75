import Foundation
import YarrowClient

/// A conversation with one agent. Its folder has what the death of the app must not lose: the session, and the run that is
/// going on with the events that were shown.
@MainActor
public final class Chat: ObservableObject {
    @Published public private(set) var conversation = Conversation()
    /// Changes when there is something else to follow: give it to `task(id:)`, which then calls `follow` again.
    @Published public private(set) var turn = 0

    private let yarrow: Yarrow
    private let folder: URL
    private let agent: String
    private var run: RunFile?

    private struct Input: Codable {
        struct Forwarded: Codable { let runtime_mode: String }

        let threadId, runId: String
        let messages: [Entry]
        let forwardedProps: Forwarded
    }

    public init(_ yarrow: Yarrow, folder: URL, agent: String = "assistant") {
        (self.yarrow, self.folder, self.agent) = (yarrow, folder, agent)
    }

    /// Shows what was said, on this phone or another one: whenever the app comes to the foreground.
    public func readHistory() async {
        struct History: Decodable { let messages: [Entry] }
        guard let thread = try? String(contentsOf: session, encoding: .utf8) else { return }
        await saying {
            let history = try await self.yarrow.history(threadId: thread)
            self.conversation.show(history: try JSONDecoder().decode(History.self, from: history).messages)
        }
    }

    /// Shows the run that is going on, to its end, if there is one. Cancel the task when the app leaves the foreground: an
    /// open stream costs battery, and no event is lost meanwhile.
    public func follow() async {
        guard let run = await begun(), let begun = await run.begun else { return }
        (conversation.isBusy, conversation.notice) = (true, nil)
        let isOver = await saying {
            try JSONDecoder().decode(Input.self, from: begun.input).messages.compactMap(\.message).forEach {
                self.conversation.show($0)
            }
            for try await event in self.yarrow.run(run) {
                try self.conversation.show(event: event.json)
            }
        }
        // Otherwise it may be going on: `tryAgain`, and the next start of the app, follow it.
        guard isOver, !Task.isCancelled, self.run === run else { return }
        forgetRun()
        conversation.isBusy = false
    }

    /// Asks; while a run is going on, nothing happens.
    public func send(_ text: String) async {
        let content = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !content.isEmpty, !conversation.isBusy else { return }
        conversation.isBusy = true
        let runId = UUID().uuidString
        let message = Entry(id: "user-\(runId)", role: "user", content: content)
        await saying {
            let forwarded = Input.Forwarded(runtime_mode: "chat")
            let input = Input(threadId: try self.threadId(), runId: runId, messages: [message], forwardedProps: forwarded)
            // On the disk before it is sent: whatever happens now, the next start of the app finds it.
            let file = try RunFile(self.runFile)
            try await file.begin(try JSONEncoder().encode(input), agent: self.agent)
            self.run = file
        }
        turn += 1
    }

    /// Ends the run, on all devices; its last event says so.
    public func stop() async {
        guard let begun = await begun()?.begun else { return }
        await saying { try await self.yarrow.cancel(threadId: begun.threadId, runId: begun.runId) }
    }

    /// Goes on after `Notice.unreachable` or `Notice.signedOut`: for a button, or when the network is back.
    public func tryAgain() { turn += 1 }

    /// Begins a new conversation, and leaves a run of this one alone; also at a sign-out, before somebody else signs in.
    public func beginAnew() {
        forgetRun()
        try? FileManager.default.removeItem(at: session)
        conversation = Conversation()
        turn += 1
    }

    /// Does what the service or the network may refuse; false where it can be done later.
    @discardableResult
    private func saying(_ call: () async throws -> Void) async -> Bool {
        do {
            try await call()
        } catch let refused as Refused {
            conversation.notice = .said(refused.detail ?? "HTTP \(refused.status)")
        } catch is SignedOut {
            conversation.notice = .signedOut
            return false
        } catch is CancellationError {
            return false
        } catch {
            conversation.notice = .unreachable
            return false
        }
        return true
    }

    private var session: URL { folder.appendingPathComponent("session") }
    private var runFile: URL { folder.appendingPathComponent("run") }

    /// The run that is going on, or that the last death of the app left, if its input was whole on the disk.
    private func begun() async -> RunFile? {
        if run == nil, let file = try? RunFile(runFile), await file.begun != nil, run == nil { run = file }
        return run
    }

    private func forgetRun() {
        try? FileManager.default.removeItem(at: runFile)
        run = nil
    }

    private func threadId() throws -> String {
        if let kept = try? String(contentsOf: session, encoding: .utf8) { return kept }
        let begun = UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try begun.write(to: session, atomically: true, encoding: .utf8)
        return begun
    }
}
