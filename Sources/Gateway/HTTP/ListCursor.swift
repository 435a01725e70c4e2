import Bytes
import Conversation
import Names
import Secrets

/// The end of a page of a list, as its reader names it. It is bound to the list's owner, as the list of another has
/// no such place.
struct ListCursor: Equatable {
    var place: ConversationIndex.Place
    /// A checksum of the list's owner.
    var owner: UInt32

    /// `ACTIVITY.OWNER.NAME`, the last two in hexadecimal.
    var text: String {
        "\(place.activity).\(String(owner, radix: 16)).\(Hexadecimal.text(place.name.text.utf8))"
    }

    init(_ place: ConversationIndex.Place, for bearer: Grant) {
        (self.place, owner) = (place, bearer.listOwner)
    }

    /// The pattern of such texts, for the description of the service.
    static let pattern = "^[-0-9a-f.]{1,\(longest)}$"
    private static let longest = 600

    /// Whether a text may be a place of some list.
    static func isWritten(_ text: String) -> Bool {
        1...longest ~= text.utf8.count && text.utf8.allSatisfy { "-0123456789abcdef.".utf8.contains($0) }
    }

    /// Nil for a text that is no cursor.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let activity = Int64(parts[0]), let owner = UInt32(parts[1], radix: 16) else {
            return nil
        }
        guard let bytes = Hexadecimal.bytes(parts[2]), bytes.count <= ConversationID.mostBytes,
            let text = String(validating: bytes, as: UTF8.self), let name = ConversationID(named: text)
        else { return nil }
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

    /// A checksum of the bearer's subject and scope: tokens that have these in common have the same list.
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
