import JSON
import Names
import Pool
import Storage
import Wire

/// One line of a list of conversations.
struct ListedConversation: Equatable {
    let name: ConversationID
    /// The time of the last activity; nil where that is not known.
    let activity: Int64?
    let kept: KeptConversation
    /// The last row; nil where there is none.
    let last: LastRow?
    /// The message of the last row, where that is retained.
    let said: MessageState?
    /// Whether unread rows were counted.
    let isCounted: Bool

    /// The number of unread rows at which counting ends.
    static let mostUnread = 100
    /// The most bytes of a text, about a line of a list.
    static let textBytes = 256

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("conversation")
            json.string(name.text)
            if let title = kept.card.shownTitle {
                json.key("title")
                json.string(title)
            }
            if let picture = kept.card.shownPicture {
                json.key("picture")
                json.raw(picture)
            }
            if let activity {
                json.key("activity")
                json.integer(activity)
            }
            if let last {
                json.key("last")
                write(last, to: &json)
            }
            guard isCounted else { return }
            if let order = kept.readUpTo {
                json.key("read")
                json.integer(order)
            }
            json.key("unread")
            json.integer(last?.unread ?? 0)
        }
    }

    private func write(_ last: LastRow, to json: inout JSONWriter) {
        json.object { json in
            json.key("message")
            json.string(last.message.text)
            json.key("order")
            json.integer(last.facts.order)
            json.key("sender")
            json.string(last.facts.sender.text)
            json.key("time")
            json.integer(last.facts.time.milliseconds)
            if let status = last.facts.status {
                json.key("status")
                json.raw(status)
            }
            guard let said, let (kind, words) = Self.summary(of: said.body.content) else { return }
            json.key("kind")
            json.string(kind)
            if let words {
                json.key("words")
                json.string(words)
            }
        }
    }

    /// The kind of a message, and the beginning of its words: of the first member beside the kind that is a text.
    static func summary(of content: [UInt8]) -> (kind: String, words: String?)? {
        do throws(JSONError) {
            guard let body = try JSONValue.parse(content).object, let kind = body["kind"]?.string else { return nil }
            let words = body.members.lazy.filter { $0.key != "kind" }.compactMap(\.value.string).first
            return (kind, words.map { cut($0) })
        } catch {
            return nil
        }
    }

    /// Cuts a text between two characters; a text that was cut ends with an ellipsis.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textBytes else { return text }
        var (short, bytes) = ("", 0)
        for character in text {
            bytes += character.utf8.count
            guard bytes <= textBytes else { break }
            short.append(character)
        }
        return short + "…"
    }
}
