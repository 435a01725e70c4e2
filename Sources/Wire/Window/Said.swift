package import JSON
package import MessageLayout
package import Typography

/// The known facts of a message beside its layout: its fields, its sender, its time and its status. Everything in
/// it comes from outside; it is looked up and never trusted.
package struct Said: Hashable, Sendable {
    /// The message as it was posted. Unknown fields are absent.
    private let body: JSONValue
    /// The fields that `SaidMessage` has beside the body; an object without members for a message that stands alone.
    private let around: JSONValue

    /// - Parameters:
    ///   - body: a message by itself, with its kind, as `forme layout` reads it.
    ///   - milliseconds: the time when it was sent, where the message does not name one.
    package init(body: JSONValue, milliseconds: Int64? = nil) {
        self.body = body
        let members = milliseconds.map { [JSONObject.Member("time", .number(JSONNumber($0)))] } ?? []
        around = .object(JSONObject(members))
    }

    /// - Parameter said: `{"sender": …, "time": …, "status": …, "body": …}`, as windows have it.
    package init(said: JSONValue) { (body, around) = (said["body"] ?? .null, said) }

    package static let nothing = Said(body: .null)

    package var sender: String { text("sender") }
    package var status: String { text("status") }
    /// The language of its words; none where the message does not name one.
    package var language: Language { body["lang"]?.string.flatMap { Language($0) } ?? .none }
    /// The name of the sender as it is shown; empty where the message does not have it.
    package var name: String { body["name"]?.string ?? "" }
    /// The time of the message since 1970, in universal time.
    package var milliseconds: Int64? { (body["time"] ?? around["time"])?.number?.integer.map { Int64($0) } }

    private func text(_ key: String) -> String { around[key]?.string ?? body[key]?.string ?? "" }

    /// The value at a path of a skeleton, such as `options[1].text`; nil where there is none.
    package func value(at path: String) -> JSONValue? {
        guard !path.isEmpty else { return body }
        var value: JSONValue?
        for (number, step) in path.split(whereSeparator: { ".[]".contains($0) }).enumerated() {
            if number == 0 {
                value = body[String(step)] ?? around[String(step)]
            } else if let place = Int(step), let elements = value?.array {
                value = elements.indices.contains(place) ? elements[place] : nil
            } else {
                value = value?[String(step)]
            }
        }
        return value
    }

    package func string(at path: String) -> String? { value(at: path)?.string }
}

extension Said {
    /// The words of a text of a skeleton, in UTF-16 units; nil where they stand in a message that is not known.
    package func units(of text: Int, source: String, in skeleton: Skeleton) -> [UInt16]? {
        guard let drawing = skeleton.drawing else { return nil }
        if let words = drawing.generatedWords(of: text) { return Array(words.utf16) }
        let shown = skeleton.texts[text]
        if shown.literal != 0 { return Array(skeleton.text(of: shown.literal).utf16) }
        guard let found = string(at: drawing.path(of: text, orSource: source)) else { return nil }
        let units = Array(found.utf16)
        guard !shown.pieces.isEmpty else { return units }
        return shown.pieces.flatMap { units[(Int($0.lowerBound)..<Int($0.upperBound)).clamped(to: units.indices)] }
    }
}
