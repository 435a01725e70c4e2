import Bytes
import Conversation
import Names
import Secrets

/// Where a page of a list ends, as its reader names it: bound to who may ask with it, as the same place in the list of another is none.
struct ListCursor: Equatable {
    var place: ConversationIndex.Place
    /// Of whose list it is.
    var owner: UInt32

    /// `ACTIVITY.OWNER.NAME`, the last two in hexadecimal.
    var text: String {
        let name = place.name.text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        return "\(place.activity).\(String(owner, radix: 16)).\(name)"
    }

    init(_ place: ConversationIndex.Place, for bearer: Grant) {
        (self.place, owner) = (place, bearer.listOwner)
    }

    /// The letters of which places are written, for the description of the service.
    static let pattern = "^[-0-9a-f.]{1,\(longest)}$"
    private static let longest = 600

    /// Whether a text may be a place of any list at all.
    static func isWritten(_ text: String) -> Bool {
        1...longest ~= text.utf8.count && text.utf8.allSatisfy { "-0123456789abcdef.".utf8.contains($0) }
    }

    /// Nil for what is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let activity = Int64(parts[0]), let owner = UInt32(parts[1], radix: 16) else {
            return nil
        }
        let digits = Array(parts[2].utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * ConversationID.mostBytes else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        guard let text = String(validating: bytes, as: UTF8.self), let name = ConversationID(named: text) else {
            return nil
        }
        (place, self.owner) = (ConversationIndex.Place(activity: activity, name: name), owner)
    }
}

extension Grant {
    /// The conversations that its bearer may read, as they are listed.
    var listScope: ConversationIndex.Scope? {
        switch scope {
        case .all: .all
        case .conversation(let name): ConversationID(named: name).map { .one($0) }
        case .prefix(let start): .prefix(start)
        }
    }

    /// A checksum of who asks for which list. Tokens of one subject and one scope have the same list.
    fileprivate var listOwner: UInt32 {
        let scope =
            switch scope {
            case .all: "all"
            case .conversation(let name): "one \(name)"
            case .prefix(let start): "prefix \(start)"
            }
        return Checksum.of(Array("\(subject?.text ?? "")\u{0}\(scope)".utf8))
    }
}
