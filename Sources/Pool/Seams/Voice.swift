package import Names
package import Wire

/// The choices of one reader on a message: a register of that reader's own, in which the highest revision wins.
package struct Voice: Equatable, Sendable {
    package enum Kind: UInt8, Comparable, Sendable {
        case emoji, option
        package static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }

    package var reader: SenderID
    package var kind: Kind
    package var revision: Revision
    /// The choices, in the order of their bytes; empty where all were taken back, and the revision is all that is
    /// left to know.
    package var choices: [ChoiceID]

    package init(reader: SenderID, kind: Kind, revision: Revision, choices: [ChoiceID]) {
        (self.reader, self.kind, self.revision, self.choices) = (reader, kind, revision, choices)
    }

    /// The approximate bytes that it takes in a card.
    package var size: Int { choices.reduce(reader.text.utf8.count + 12) { $0 + $1.text.utf8.count + 1 } }

    /// Whether the other is the same voice to a message: of the same reader and kind.
    func hasPlace(of other: Voice) -> Bool { reader == other.reader && kind == other.kind }

    func stands(before other: Voice) -> Bool {
        reader == other.reader ? kind < other.kind : reader < other.reader
    }
}

extension ReaderChoices {
    /// - Parameter subject: the reader of voices that do not name one.
    func voices(_ revision: Revision, of subject: SenderID?) -> [Voice] {
        guard let reader = reader ?? subject else { return [] }
        return [(Voice.Kind.emoji, emoji), (.option, options)].compactMap { kind, choices in
            choices.map { Voice(reader: reader, kind: kind, revision: revision, choices: $0) }
        }
    }
}
