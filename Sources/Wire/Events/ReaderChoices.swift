package import Bytes
import JSON
package import Names

package enum Choice {}

/// An emoji, or the id of an option of a poll.
package typealias ChoiceID = Name<Choice>

/// The choices of one reader for a message: reactions, votes, or both, each list complete.
///
/// ```json
/// {"reader": "ada", "emoji": ["👍"]}
/// {"reader": "ada", "options": []}
/// ```
package struct ReaderChoices: Equatable, Sendable {
    /// The reader; nil where it is the subject of the request.
    package var reader: SenderID?
    /// The reactions; nil where the event leaves them as they are, and empty where all are taken back. The same
    /// holds for options.
    package var emoji: [ChoiceID]?
    package var options: [ChoiceID]?

    /// Choices are a set: neither their order nor a repetition has a meaning.
    package init(reader: SenderID?, emoji: [ChoiceID]? = nil, options: [ChoiceID]? = nil) {
        self.reader = reader
        self.emoji = emoji.map { Set($0).sorted() }
        self.options = options.map { Set($0).sorted() }
    }
}

extension ReaderChoices {
    init(_ reader: JSONReader) throws(JSONError) {
        let fields = try reader.object(knownKeys: ["reader", "emoji", "options"])
        self.init(
            reader: try fields.optional("reader")?.name(), emoji: try Self.choices(fields.optional("emoji")),
            options: try Self.choices(fields.optional("options")))
        guard emoji != nil || options != nil else { throw reader.mismatch(expected: "'emoji' or 'options'") }
    }

    private static func choices(_ list: JSONReader?) throws(JSONError) -> [ChoiceID]? {
        guard let list else { return nil }
        let elements = try list.elements()
        guard elements.count <= Limits.choices else { throw list.mismatch(expected: "at most \(Limits.choices)") }
        var choices: [ChoiceID] = []
        for element in elements {
            let choice: ChoiceID = try element.name()
            guard choice.text.utf8.count <= Limits.choice else {
                throw element.mismatch(expected: "1 to \(Limits.choice) bytes")
            }
            choices.append(choice)
        }
        return choices
    }

    func write(to json: inout JSONWriter) {
        json.object {
            if let reader {
                $0.key("reader")
                $0.string(reader.text)
            }
            for case (let key, let choices?) in [("emoji", emoji), ("options", options)] {
                $0.key(key)
                $0.array { for choice in choices { $0.string(choice.text) } }
            }
        }
    }
}

extension ReaderChoices: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.integer(UInt8((reader == nil ? 0 : 1) | (emoji == nil ? 0 : 2) | (options == nil ? 0 : 4)))
        if let reader { writer.value(reader) }
        for case let choices? in [emoji, options] {
            writer.integer(UInt8(choices.count))
            for choice in choices { writer.value(choice) }
        }
    }

    package init(from reader: inout ByteReader) throws(ByteError) {
        let present: UInt8 = try reader.integer()
        guard present < 8 else { throw .unknownCase(present, of: "choices") }
        func choices(_ reader: inout ByteReader) throws(ByteError) -> [ChoiceID] {
            let count: UInt8 = try reader.integer()
            guard count <= Limits.choices else { throw .tooLong(Int(count), limit: Limits.choices, of: "choices") }
            var choices: [ChoiceID] = []
            for _ in 0..<count { choices.append(try reader.value()) }
            return choices
        }
        self.reader = present & 1 == 0 ? nil : try reader.value()
        emoji = present & 2 == 0 ? nil : try choices(&reader)
        options = present & 4 == 0 ? nil : try choices(&reader)
    }
}
