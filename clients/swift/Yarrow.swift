// A client of Yarrow for Apple's systems: submit a run, and read its events to the end whatever the network does.
// One file without dependencies, for Swift 5.9, iOS 15 and macOS 12; see README.md.

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An event of a run, with its number in it.
public struct StoredEvent: Sendable, Equatable {
    public let id: Int
    public let json: Data
    public let type: String

    init(id: Int, json: Data) throws {
        struct Typed: Decodable { let type: String }
        (self.id, self.json) = (id, json)
        type = try JSONDecoder().decode(Typed.self, from: json).type
    }

    /// Whether it ends its run.
    public var isTerminal: Bool { type == "RUN_FINISHED" || type == "RUN_ERROR" }
}

/// The service refuses: `status` of HTTP, `code` of `docs/errors.md`, and the seconds of a `Retry-After`.
public struct Refused: Error, Sendable {
    public let status: Int
    public let code: String?
    public let detail: String?
    public let retryAfter: TimeInterval?
}

/// The connection broke; thrown after more than 20 failures in a row.
public struct Dropped: Error, Sendable {
    public let reason: String

    /// Also for a `Token` that could not reach its issuer: the request is tried again.
    public init(reason: String) { self.reason = reason }
}

public final class Yarrow: Sendable {
    /// The bearer token; a new one where it is called with the one that was refused.
    public typealias Token = @Sendable (_ refused: String?) async throws -> String

    private static let silence: TimeInterval = 45  // the service says something every 15
    private let root: URL
    private let token: Token
    private let hurry: Double
    private let network = Network()
    private let rests = Rests()
    private let session: URLSession

    /// `url` is where the API is; `hurry` divides waits, for tests.
    public init(url: URL, hurry: Double = 1, token: @escaping Token) {
        root = url
        (self.token, self.hurry) = (token, hurry)
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = Self.silence  // between bytes
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: network, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Submits a run; `input` is the body of `POST /runs`. Sent again where the answer was lost: that is no second run.
    @discardableResult
    public func submit(_ input: Data, agent: String? = nil) async throws -> (threadId: String, runId: String) {
        let request = post("runs", agent.map { ["agent": $0] } ?? [:], input)
        return try await retried { try await $0.accepted(request) }
    }

    /// The events of a run behind number `after`, to the one that ends it. To stop reading cancels no run.
    public func watch(threadId: String, runId: String, after: Int = 0) -> AsyncThrowingStream<StoredEvent, Error> {
        stream { events in try await self.follow(threadId, runId, after) { events.yield($0) } }
    }

    /// All events of the run that was begun in `file`, each once: those kept there, then those of the service, which
    /// are kept before they are given. After the death of the process, the same call goes on.
    public func run(_ file: RunFile) -> AsyncThrowingStream<StoredEvent, Error> {
        stream { events in
            guard let run = await file.run else { throw CocoaError(.fileNoSuchFile) }
            let kept = await file.events
            kept.forEach { events.yield($0) }
            if kept.last?.isTerminal == true { return }
            // Perhaps the service never got it; if it did, this makes no second run.
            if kept.isEmpty { try await self.submit(run.input, agent: run.agent) }
            try await self.follow(run.threadId, run.runId, kept.last?.id ?? 0) {
                try await file.append($0)
                events.yield($0)
            }
        }
    }

    /// Ends a run with RUN_ERROR, code RUN_CANCELED. False if it had finished or failed before.
    @discardableResult
    public func cancel(threadId: String, runId: String) async throws -> Bool {
        struct Answer: Decodable { let accepted: Bool }
        var request = request("runs/\(threadId)/cancel", ["runId": runId])
        request.httpMethod = "POST"
        let answer = try JSONDecoder().decode(Answer.self, from: try await ask(request).whole())
        rests.end("\(threadId) \(runId)")  // a watch that was sent away until the run goes on
        return answer.accepted
    }

    /// The messages of a thread, or without one the user's threads, as JSON.
    public func history(threadId: String? = nil) async throws -> Data {
        try await ask(request("history", threadId.map { ["threadId": $0] } ?? [:])).whole()
    }

    /// The user's open questions in all sessions, newest first, as JSON: `interrupts`, and `hasMore`. `after` is the id of
    /// the last one of the page before.
    public func interrupts(limit: Int? = nil, after: String? = nil) async throws -> Data {
        var query: [String: String] = [:]
        query["limit"] = limit.map(String.init)
        query["after"] = after
        return try await ask(request("interrupts", query)).whole()
    }

    /// Answers an open question with a payload, which is JSON and matches its `responseSchema`, or cancels it with nil.
    /// Returns the run that goes on. The first answer counts: another one is refused, the same one again gets the same run.
    @discardableResult
    public func answer(_ interruptId: String, _ payload: Data?) async throws -> (threadId: String, runId: String) {
        var body = Data(#"{"status":"cancelled"}"#.utf8)
        if let payload { body = Data(#"{"status":"resolved","payload":"#.utf8) + payload + Data("}".utf8) }
        return try await accepted(post("interrupts/\(interruptId)", [:], body))
    }

    /// What an agent can do, as AG-UI's `AgentCapabilities` in JSON; a member that is missing is unknown.
    public func capabilities(agent: String? = nil) async throws -> Data {
        try await ask(request("send-message/capabilities", agent.map { ["agent": $0] } ?? [:], of: root)).whole()
    }

    /// Registers this app for notifications, or again: at each start, and when another user signs in, whose it is from then
    /// on. `token` is that of `didRegisterForRemoteNotificationsWithDeviceToken`, `sandbox` for a build of Xcode's, `include`
    /// what it gets of the content, such as `answer`. Returns the id of the device, which `removeDevice` takes.
    @discardableResult
    public func registerDevice(
        _ token: Data, sandbox: Bool = false, name: String? = nil, include: [String] = []
    ) async throws -> String {
        struct Device: Encodable {
            let kind, token: String
            let name: String?
            let include: [String]
        }
        struct Registered: Decodable { let id: String }
        let digits = token.map { String(format: "%02x", $0) }.joined()
        let device = Device(kind: sandbox ? "apns_sandbox" : "apns", token: digits, name: name, include: include)
        let request = post("devices", [:], try JSONEncoder().encode(device), of: devices)
        return try JSONDecoder().decode(Registered.self, from: try await retried { try await $0.ask(request).whole() }).id
    }

    /// The user's `devices`, and the `kinds` that the deployment notifies, as JSON.
    public func listDevices() async throws -> Data {
        try await ask(request("devices", [:], of: devices)).whole()
    }

    /// Has a device get no notifications any more, if it is the user's: before a sign-out.
    public func removeDevice(_ id: String) async throws {
        var request = request("devices/\(id)", [:], of: devices)
        request.httpMethod = "DELETE"
        let removal = request
        _ = try await retried { try await $0.ask(removal).whole() }
    }

    private var devices: URL { root.appendingPathComponent("api/v1") }

    /// Does what may be done again, as its answer may have been lost.
    private func retried<T>(_ attempt: (Yarrow) async throws -> T) async throws -> T {
        var patience = Patience()
        while true {
            do {
                return try await attempt(self)
            } catch {
                try await wait(for: error, &patience)
            }
        }
    }

    private func accepted(_ request: URLRequest) async throws -> (threadId: String, runId: String) {
        struct Accepted: Decodable { let threadId, runId: String }
        let body = try await ask(request).whole()
        guard let run = try? JSONDecoder().decode(Accepted.self, from: body) else {
            throw Dropped(reason: "the answer names no run")
        }
        return (run.threadId, run.runId)
    }

    private typealias Events = AsyncThrowingStream<StoredEvent, Error>

    private func stream(_ give: @escaping @Sendable (Events.Continuation) async throws -> Void) -> Events {
        Events { events in
            let giving = Task {
                do {
                    try await give(events)
                    events.finish()
                } catch {
                    events.finish(throwing: error)
                }
            }
            events.onTermination = { _ in giving.cancel() }
        }
    }

    private func follow(
        _ threadId: String, _ runId: String, _ after: Int, _ tell: (StoredEvent) async throws -> Void
    ) async throws {
        var request = request("runs/\(threadId)/events", ["runId": runId])
        var (last, again) = (after, 0)
        var patience = Patience()
        while true {
            var isEmpty = true
            var failure: Error?
            do {
                let cursor = last - again
                request.setValue(cursor > 0 ? String(cursor) : nil, forHTTPHeaderField: "Last-Event-ID")
                let answer = try await ask(request)
                // Hotels and trains answer everything with a page of their own.
                guard answer.head.mimeType == "text/event-stream" else { throw Dropped(reason: "no event stream") }
                var parser = FrameParser()
                for try await case .data(let data) in answer.rest {
                    for frame in parser.read(data) {
                        isEmpty = false
                        patience.heard(frame.retry)
                        guard let json = frame.data else { continue }
                        let event = try StoredEvent(id: frame.id.flatMap { Int($0) } ?? 0, json: Data(json.utf8))
                        if event.id > last {
                            last = event.id
                            try await tell(event)
                        }
                        if event.isTerminal { return }
                    }
                }
            } catch {
                failure = error
            }
            try Task.checkCancellation()
            // Empty means that `last` ended the run, or that a proxy cut the stream: reading it again tells.
            if isEmpty && failure == nil {
                if last > 0 && again == 0 {
                    again = 1
                    continue
                }
                failure = Dropped(reason: "the stream ended before its first event")
            }
            if !isEmpty { again = 0 }
            try await rests.rest(try patience.wait(after: failure) / hurry, "\(threadId) \(runId)")
        }
    }

    private func post(_ path: String, _ query: [String: String], _ body: Data, of api: URL? = nil) -> URLRequest {
        var request = request(path, query, of: api)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    private func request(_ path: String, _ query: [String: String], of api: URL? = nil) -> URLRequest {
        let place = (api ?? root.appendingPathComponent("api/v1/agent")).appendingPathComponent(path)
        var parts = URLComponents(url: place, resolvingAgainstBaseURL: false)!
        parts.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        // A plus sign is left as it is, and read as a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return URLRequest(url: parts.url!, timeoutInterval: Self.silence)
    }

    /// The answer of the service, if it is a good one; a token that is refused is replaced once.
    private func ask(_ request: URLRequest) async throws -> Answer {
        var request = request
        var token = try await token(nil)
        var isFirst = true
        while true {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            let answer = try await network.answer(to: session.dataTask(with: request))
            if 200..<300 ~= answer.head.statusCode { return answer }
            let refused = await answer.refusal()
            guard refused.status == 401 && isFirst else { throw refused }
            token = try await self.token(token)
            isFirst = false
        }
    }

    private func wait(for failure: Error?, _ patience: inout Patience) async throws {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: UInt64(try patience.wait(after: failure) / hurry * 1e9))
    }
}

/// The waits of watches, by their runs: the service sends a watch away while its run sleeps, and a cancel of one's own ends
/// the wait.
private final class Rests: @unchecked Sendable {
    private let lock = NSLock()
    private var sleeps: [UUID: (run: String, sleep: Task<Void, Error>)] = [:]

    /// Sleeps for so many seconds, or until `end` is called for the run.
    func rest(_ seconds: TimeInterval, _ run: String) async throws {
        let id = UUID()
        let sleep = Task { try await Task.sleep(nanoseconds: UInt64(seconds * 1e9)) }
        lock.withLock { sleeps[id] = (run, sleep) }
        defer { lock.withLock { sleeps[id] = nil } }
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            sleep.cancel()
        }
        try Task.checkCancellation()
    }

    func end(_ run: String) {
        lock.withLock { sleeps.values.filter { $0.run == run }.forEach { $0.sleep.cancel() } }
    }
}

/// A run in a file, so that it goes on after the death of the process: a line for its input, then one for each event
/// with its number. What a death left incomplete is dropped; it comes again from the service.
public actor RunFile {
    struct Run: Codable, Sendable {
        let threadId, runId: String
        let agent: String?
        let input: Data
    }

    private let url: URL
    private var end: Int  // of the last whole line
    private(set) var run: Run?
    public private(set) var events: [StoredEvent]

    /// The run that was begun in this file, with its input; nil where none was.
    public var begun: (threadId: String, runId: String, input: Data)? {
        run.map { ($0.threadId, $0.runId, $0.input) }
    }

    public init(_ url: URL) throws {
        let bytes = FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : Data()
        var (run, events, end) = (Run?.none, [StoredEvent](), 0)
        while let length = bytes[end...].firstIndex(of: 10).map({ $0 - end }) {
            let line = bytes[end..<end + length]
            if run == nil {
                guard let first = try? JSONDecoder().decode(Run.self, from: line) else { break }
                run = first
            } else {
                let parts = line.split(separator: 32, maxSplits: 1).map { Data($0) }
                guard parts.count == 2, let id = Int(String(decoding: parts[0], as: UTF8.self)),
                    let event = try? StoredEvent(id: id, json: parts[1])
                else { break }
                events.append(event)
            }
            end += length + 1
        }
        (self.url, self.run, self.events, self.end) = (url, run, events, end)
    }

    /// Keeps a run that is to be submitted; `input` names its `threadId` and `runId`.
    public func begin(_ input: Data, agent: String? = nil) throws {
        struct Named: Decodable { let threadId, runId: String }
        guard run == nil else { throw CocoaError(.fileWriteFileExists) }
        let named = try JSONDecoder().decode(Named.self, from: input)
        let begun = Run(threadId: named.threadId, runId: named.runId, agent: agent, input: input)
        try write(JSONEncoder().encode(begun))
        run = begun
    }

    func append(_ event: StoredEvent) throws {
        guard event.id > events.last?.id ?? 0 else { return }
        try write(Data("\(event.id) ".utf8) + event.json)
        events.append(event)
    }

    private func write(_ line: Data) throws {
        if end == 0 { try Data().write(to: url) }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.truncate(atOffset: UInt64(end))
        try file.seekToEnd()
        try file.write(contentsOf: line + [10])
        if end == 0 { try file.synchronize() }
        end += line.count + 1
    }
}

/// How long to wait before the next connection, and whether there is one.
struct Patience {
    private static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]
    private var retry: TimeInterval = 0.5
    private var failures = 0

    /// The connection works; `milliseconds` are those of a `retry:`.
    mutating func heard(_ milliseconds: Int?) {
        failures = 0
        retry = milliseconds.map { Double($0) / 1000 } ?? retry
    }

    /// The seconds to wait after a stream that ended, or that failed; throws a failure that will not pass.
    mutating func wait(after failure: Error?) throws -> TimeInterval {
        let refused = failure as? Refused
        if let failure {
            guard failure is Dropped || refused.map({ Self.passing.contains($0.status) }) == true else { throw failure }
            failures += 1
            if failures > 20 { throw failure }
        }
        let growing = min(retry * pow(2, Double(max(0, failures - 1))), 30)
        // Of many that were refused together, not all come back at the same moment.
        if let asked = refused?.retryAfter, asked > 0 { return max(asked, growing) * Double.random(in: 1...1.5) }
        return growing * Double.random(in: 0.5...1)
    }
}

/// What an SSE stream says up to an empty line; without `data` it is a comment or a `retry:`.
struct Frame: Equatable {
    var id: String?
    var event: String?
    var data: String?
    var retry: Int?
}

/// The whole frames of a stream, as WHATWG's HTML has them, from bytes: `lines` drops the empty ones.
struct FrameParser {
    private var line: [UInt8] = []
    private var frame = Frame()
    private var isEmpty = true
    private var isFirst = true
    private var isAfterCR = false

    /// The frames whose empty line came with these bytes.
    mutating func read(_ bytes: Data) -> [Frame] {
        var frames: [Frame] = []
        for byte in bytes {
            defer { isAfterCR = byte == 13 }
            switch byte {
            case 10 where isAfterCR: continue
            case 10, 13: if let frame = endLine() { frames.append(frame) }
            default: line.append(byte)
            }
        }
        return frames
    }

    private mutating func endLine() -> Frame? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirst && line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirst = false
        if line.isEmpty {
            defer { (frame, isEmpty) = (Frame(), true) }
            return isEmpty ? nil : frame
        }
        isEmpty = false
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "id": if !value.contains(0) { frame.id = text }
        case "event": frame.event = text
        case "data": frame.data = frame.data.map { $0 + "\n" + text } ?? text
        case "retry": if value.allSatisfy({ 48...57 ~= $0 }) { frame.retry = Int(text) ?? frame.retry }
        default: break
        }
        return nil
    }
}

private enum Piece: Sendable {
    case head(HTTPURLResponse)
    case data(Data)
}

private struct Answer {
    let head: HTTPURLResponse
    let rest: AsyncThrowingStream<Piece, Error>

    func whole() async throws -> Data {
        var body = Data()
        for try await case .data(let data) in rest { body.append(data) }
        return body
    }

    func refusal() async -> Refused {
        struct Problem: Decodable { let code, detail: String? }
        let problem = (try? await whole()).flatMap { try? JSONDecoder().decode(Problem.self, from: $0) }
        let seconds = head.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        return Refused(status: head.statusCode, code: problem?.code, detail: problem?.detail, retryAfter: seconds)
    }
}

/// What comes for each task of a session, in order.
private final class Network: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var pieces: [Int: AsyncThrowingStream<Piece, Error>.Continuation] = [:]

    func answer(to task: URLSessionDataTask) async throws -> Answer {
        let (stream, continuation) = AsyncThrowingStream<Piece, Error>.makeStream()
        lock.withLock { pieces[task.taskIdentifier] = continuation }
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        for try await case .head(let head) in stream { return Answer(head: head, rest: stream) }
        try Task.checkCancellation()
        throw Dropped(reason: "no answer")
    }

    private func continuation(_ task: URLSessionTask) -> AsyncThrowingStream<Piece, Error>.Continuation? {
        lock.withLock { pieces[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { continuation(dataTask)?.yield(.head(head)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation(dataTask)?.yield(.data(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        let failure = error.map { Dropped(reason: $0.localizedDescription) }
        continuation(task)?.finish(throwing: failure)
        lock.withLock { pieces[task.taskIdentifier] = nil }
    }
}
