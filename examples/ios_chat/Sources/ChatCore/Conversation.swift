import Foundation

/// One entry of a conversation.
public struct Message: Identifiable, Equatable, Sendable {
    public enum Kind: Sendable { case user, assistant, tool }

    public let id: String
    public let kind: Kind
    public var text: String
}

/// Why nothing comes: the service's own words, or a cause that the app has words for.
public enum Notice: Equatable, Sendable {
    case said(String)
    case unreachable
    case signedOut
}

/// What the screen shows. To show an event twice changes nothing.
public struct Conversation: Equatable, Sendable {
    public internal(set) var messages: [Message] = []
    public internal(set) var isBusy = false
    public internal(set) var notice: Notice?

    /// Shows a message, in the place of the one that has its id.
    mutating func show(_ message: Message) {
        if let index = messages.lastIndex(where: { $0.id == message.id }) {
            messages[index] = message
        } else {
            messages.append(message)
        }
    }

    /// Shows an event of a run; of those that are not listed, a chat needs none.
    mutating func show(event json: Data) throws {
        struct Event: Decodable {
            let type: String
            let messageId, delta, toolCallId, toolCallName, message: String?
        }
        let event = try JSONDecoder().decode(Event.self, from: json)
        switch event.type {
        case "TEXT_MESSAGE_START": show(Message(id: event.messageId ?? "", kind: .assistant, text: ""))
        case "TEXT_MESSAGE_CONTENT": append(event.delta ?? "", to: event.messageId)
        case "TOOL_CALL_START":
            show(Message(id: event.toolCallId ?? "", kind: .tool, text: "\(event.toolCallName ?? "") …"))
        case "TOOL_CALL_RESULT": append(" ✓", to: event.toolCallId)
        case "RUN_ERROR": notice = event.message.map(Notice.said)
        default: break
        }
    }

    /// Shows a history: each message behind the one that it follows there. Those that are shown stay as they are.
    mutating func show(history: [Entry]) {
        var next = 0
        for message in history.compactMap(\.message) {
            if let index = messages.firstIndex(where: { $0.id == message.id }) {
                next = index + 1
            } else {
                messages.insert(message, at: next)
                next += 1
            }
        }
    }

    private mutating func append(_ text: String, to id: String?) {
        guard let index = messages.lastIndex(where: { $0.id == id }) else { return }
        messages[index].text += text
    }
}

/// A message of a history or of a request.
struct Entry: Codable {
    let id, role: String
    let content: String?

    /// Nil for one that the chat does not show.
    var message: Message? {
        switch role {
        case "user": return Message(id: id, kind: .user, text: content ?? "")
        case "assistant": return Message(id: id, kind: .assistant, text: content ?? "")
        default: return nil
        }
    }
}
