// Without an argument: runs as `tests/clients/kotlin_client.py` gives them. With one: the test vectors of that file.

import Foundation

if CommandLine.arguments.count > 1 {
    try checkVectors(CommandLine.arguments[1])
} else {
    await withTaskGroup(of: Void.self) { tasks in
        while let line = readLine() { tasks.addTask { await perform(Data(line.utf8)) } }
    }
}

/// Hands out tokens one after the other, each when the one before was refused.
actor Tokens {
    private var left: [String]
    private(set) var refusals: [String] = []

    init(_ tokens: [String]) { left = tokens }

    func next(_ refused: String?) -> String {
        if refused != nil { refusals.append(left.removeFirst()) }
        return left[0]
    }
}

func perform(_ line: Data) async {
    let task = try! JSONSerialization.jsonObject(with: line) as! [String: Any]
    func text(_ name: String) -> String { task[name] as? String ?? "" }
    func write(_ name: String, _ what: [String: Any]) {
        let line = try! JSONSerialization.data(withJSONObject: ["task": task["task"]!, name: what])
        FileHandle.standardOutput.write(line + [10])
    }
    let tokens = Tokens(task["tokens"] as! [String])
    let hurry = (task["hurry"] as? NSNumber)?.doubleValue ?? 1
    let yarrow = Yarrow(url: URL(string: text("url"))!, hurry: hurry) { await tokens.next($0) }
    var ended: [String: Any] = ["error": NSNull(), "status": NSNull(), "code": NSNull()]
    do {
        if text("do") == "history" {
            let history = try await yarrow.history(threadId: text("thread"))
            write("history", try JSONSerialization.jsonObject(with: history) as! [String: Any])
            return write("ended", ended.merging(["refusals": await tokens.refusals]) { $1 })
        }
        let events: AsyncThrowingStream<StoredEvent, Error>
        if let input = task["input"] {
            let body = try JSONSerialization.data(withJSONObject: input)
            if let path = task["store"] as? String {
                let file = try RunFile(URL(fileURLWithPath: path))
                if await file.run == nil { try await file.begin(body, agent: task["agent"] as? String) }
                events = yarrow.run(file)
            } else {
                let run = try await yarrow.submit(body, agent: task["agent"] as? String)
                events = yarrow.watch(threadId: run.threadId, runId: run.runId)
            }
        } else {
            let after = (task["after"] as? NSNumber)?.intValue ?? 0
            events = yarrow.watch(threadId: text("thread"), runId: text("run"), after: after)
        }
        for try await event in events {
            write("told", ["id": event.id, "event": try JSONSerialization.jsonObject(with: event.json)])
            if event.id == (task["cancelAfter"] as? NSNumber)?.intValue {
                try await yarrow.cancel(threadId: text("thread"), runId: text("run"))
            }
        }
    } catch let refused as Refused {
        ended = ["error": "Refused", "status": refused.status, "code": refused.code as Any]
    } catch {
        ended["error"] = "\(type(of: error))"
    }
    ended["refusals"] = await tokens.refusals
    write("ended", ended)
}

func checkVectors(_ path: String) throws {
    struct Vector: Decodable {
        let name: String
        let stream, hex: String?
        let frames: [Frame]
        var bytes: Data { stream.map { Data($0.utf8) } ?? Data(hexadecimal: hex!) }
    }
    struct Vectors: Decodable { let sse, whatwg: [Vector] }
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    var failures = 0
    for vector in vectors.sse + vectors.whatwg {
        for size in 1...max(1, vector.bytes.count) {
            var parser = FrameParser()
            let starts = stride(from: 0, to: vector.bytes.count, by: size)
            let frames = starts.flatMap { parser.read(vector.bytes[$0..<min($0 + size, vector.bytes.count)]) }
            if frames != vector.frames {
                failures += 1
                print("\(vector.name), in pieces of \(size) bytes: \(frames)")
            }
        }
    }
    print("\(vectors.sse.count + vectors.whatwg.count) vectors, \(failures) failures")
    exit(failures == 0 ? 0 : 1)
}

extension Frame: Decodable {
    enum Key: CodingKey { case id, event, data, retry }

    public init(from decoder: Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try members.decodeIfPresent(String.self, forKey: .id),
            event: try members.decodeIfPresent(String.self, forKey: .event),
            data: try members.decodeIfPresent(String.self, forKey: .data),
            retry: try members.decodeIfPresent(Int.self, forKey: .retry)
        )
    }
}

extension Data {
    init(hexadecimal text: String) {
        let digits = text.compactMap { $0.hexDigitValue }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }
}
