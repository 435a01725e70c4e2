import JSON
import Names
import Wire

/// All reactions to a message as readers are shown them: those that a backend said of all together, and those that
/// readers said themselves.
///
/// ```text
///  said by a backend     [{"emoji": "👍", "count": 2}]
///  said by readers       ada 👍 🎉, grace 👍, grace votes for b
///  shown                 [{"emoji": "👍", "count": 4, "by": ["ada", "grace"]},
///                         {"emoji": "🎉", "count": 1, "by": ["ada"]},
///                         {"option": "b", "count": 1, "by": ["grace"]}]
/// ```
///
/// The order of arrival leaves no trace: the backend's reactions come first, as they were said, then the rest by bytes.
struct ReactionTally {
    private let said: [JSONValue]
    private let emoji: [(ChoiceID, [SenderID])]
    private let options: [(ChoiceID, [SenderID])]

    /// Nil where the backend's are no list, which nothing can be added to.
    init?(_ said: [UInt8]?, _ voices: [Voice]) {
        guard let said else {
            self.said = []
            (emoji, options) = (Self.readers(.emoji, voices), Self.readers(.option, voices))
            return
        }
        guard let list = (try? JSONValue.parse(said))?.array else { return nil }
        self.said = list
        (emoji, options) = (Self.readers(.emoji, voices), Self.readers(.option, voices))
    }

    private static func readers(_ kind: Voice.Kind, _ voices: [Voice]) -> [(ChoiceID, [SenderID])] {
        var readers: [ChoiceID: [SenderID]] = [:]
        for voice in voices where voice.kind == kind {
            for choice in voice.choices { readers[choice, default: []].append(voice.reader) }
        }
        return readers.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
    }

    /// The number of different reactions, which a style draws one by one.
    var count: Int {
        let known = Set(said.compactMap { Self.emoji(of: $0) })
        return said.count + emoji.count { !known.contains($0.0) }
    }

    /// Returns the reactions as JSON; nil where there are none. Where the names take too much room, only counts are
    /// told; where these do, only the backend's own reactions.
    func json(atMost limit: Int, said bytes: [UInt8]?) -> [UInt8]? {
        if said.isEmpty, emoji.isEmpty, options.isEmpty { return bytes }
        let named = json(withNames: true)
        if named.count <= limit { return named }
        let counted = json(withNames: false)
        return counted.count <= limit ? counted : bytes
    }

    private func json(withNames: Bool) -> [UInt8] {
        var rest = Dictionary(uniqueKeysWithValues: emoji)
        var json = JSONWriter()
        json.array { list in
            for element in said {
                guard let choice = Self.emoji(of: element), let readers = rest.removeValue(forKey: choice),
                    let object = element.object
                else {
                    list.value(element)
                    continue
                }
                Self.write(object, readers, withNames, to: &list)
            }
            // A backend may have said more since; a style does not draw a list that is too long.
            let room = max(0, Limits.differentReactions - said.count)
            for (choice, readers) in emoji.filter({ rest[$0.0] != nil }).prefix(room) {
                Self.write("emoji", choice, readers, withNames, to: &list)
            }
            for (choice, readers) in options { Self.write("option", choice, readers, withNames, to: &list) }
        }
        return json.bytes
    }

    /// Writes a reaction that a backend counts, with the readers who said it themselves and whom the backend does not
    /// name.
    private static func write(
        _ object: JSONObject, _ readers: [SenderID], _ withNames: Bool, to list: inout JSONWriter
    ) {
        let by = object["by"]?.array?.compactMap { $0.string.flatMap { try? SenderID($0) } } ?? []
        let known = Set(by)
        let new = readers.filter { !known.contains($0) }
        let count = (object["count"]?.number?.integer ?? 1).addingReportingOverflow(new.count)
        list.object {
            for member in object.members where member.key != "count" && member.key != "by" {
                $0.key(member.key)
                $0.value(member.value)
            }
            $0.key("count")
            $0.integer(count.overflow ? .max : count.partialValue)
            if withNames { write(by + new, to: &$0) }
        }
    }

    private static func write(
        _ key: String, _ choice: ChoiceID, _ readers: [SenderID], _ withNames: Bool, to list: inout JSONWriter
    ) {
        list.object {
            $0.key(key)
            $0.string(choice.text)
            $0.key("count")
            $0.integer(readers.count)
            if withNames { write(readers, to: &$0) }
        }
    }

    private static func write(_ readers: [SenderID], to json: inout JSONWriter) {
        json.key("by")
        json.array { for reader in readers { $0.string(reader.text) } }
    }

    private static func emoji(of element: JSONValue) -> ChoiceID? {
        element.object?["emoji"]?.string.flatMap { try? ChoiceID($0) }
    }
}

extension MessageCard {
    /// The reactions as rows show them, and as readers are told.
    package var shownReactions: [UInt8]? {
        guard !voices.isEmpty, let tally = ReactionTally(reactions?.value, voices) else { return reactions?.value }
        return tally.json(atMost: Limits.reactions, said: reactions?.value)
    }

    /// The fault of readers' choices that are too many; nil where they are not, or have not become more. A backend, or
    /// another message that turned out to be this one, may have brought it past a limit: what was said is taken back
    /// all the same.
    func voiceFault(after before: MessageCard) -> EventFault? {
        guard !voices.isEmpty else { return nil }
        let (size, sizeBefore) = (voiceSize, before.voiceSize)
        guard size <= max(Limits.voices, sizeBefore) else {
            return EventFault(
                field: "react",
                reason: "expected at most \(Limits.voices) bytes of readers and their choices to one message")
        }
        guard differentReactions <= max(Limits.differentReactions, before.differentReactions) else {
            return EventFault(
                field: "react.emoji",
                reason: "expected at most \(Limits.differentReactions) different ones to one message")
        }
        return nil
    }

    private var voiceSize: Int { voices.reduce(0) { $0 + $1.size } }
    private var differentReactions: Int { ReactionTally(reactions?.value, voices)?.count ?? 0 }
}
