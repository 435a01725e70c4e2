import JSON
package import MessageLayout
import Wire

/// The words that a style draws, to warn producers of events that it will not draw as they mean them.
///
/// Such an event is kept like every other: styles change, and a word that is unknown today is drawn tomorrow. A body
/// that begins or ends with its kind, as most do, costs the comparison of that word, however long it is.
package struct StyleWords: Equatable, Sendable {
    private var kinds: Set<[UInt8]>
    /// The fields that a message of each kind may have: those of one style after the other, where they differ.
    private var fields: [[UInt8]: [FieldSpec]]
    /// The known statuses as JSON, between quotes.
    private var statuses: Set<[UInt8]>
    /// The reactions that are drawn; nil where the style spells them otherwise.
    private var reactions: Reactions?

    /// The field for the readers of a reaction, by which the service adds up. In a register it never reaches a style;
    /// in a body it does.
    fileprivate static let ownField = "by"

    /// The number of reactions that are drawn, each with an emoji, and the fields that one may have.
    package struct Reactions: Equatable, Sendable {
        fileprivate var most: Int
        fileprivate var fields: Set<String>

        package init(most: Int, fields: some Sequence<String>) {
            self.most = most
            self.fields = Set(fields)
        }
    }

    /// The statuses that styles usually know, of how far a message got. Clients decide how each looks.
    package static let usualStatuses = ["sending", "sent", "delivered", "read", "failed"]

    /// - Parameter fields: the fields that a message of each kind may have. A kind that is not among them may have any.
    package init(
        kinds: some Sequence<String>, statuses: some Sequence<String>, reactions: Reactions?,
        fields: [String: FieldSpec] = [:]
    ) {
        self.kinds = Set(kinds.map { Array($0.utf8) })
        self.fields = Dictionary(uniqueKeysWithValues: fields.map { (Array($0.key.utf8), [$0.value]) })
        self.statuses = Set((Array(statuses) + Self.usualStatuses).map { Array("\"\($0)\"".utf8) })
        self.reactions = reactions
    }

    /// Returns the words that either of both draws.
    package func union(_ other: StyleWords) -> StyleWords {
        var union = self
        union.kinds.formUnion(other.kinds)
        union.fields.merge(other.fields) { own, others in own + others.filter { !own.contains($0) } }
        union.statuses.formUnion(other.statuses)
        union.reactions = reactions.flatMap { own in
            other.reactions.map { Reactions(most: max(own.most, $0.most), fields: own.fields.union($0.fields)) }
        }
        return union
    }

    /// Returns the warning about an event; nil where all of it is drawn.
    func warning(of event: MessageEvent) -> String? {
        var warnings: [String] = []
        if let content = event.body?.content, let kind = Self.kind(of: content) {
            if !kinds.contains(kind) {
                warnings.append(
                    "body.kind: no style draws '\(text(kind))'; the message is shown as one that cannot be shown")
            } else if let fault = fault(in: content, of: kind) {
                // A key is as long as its producer likes.
                let place = fault.path == .root ? "body" : "body.\("\(fault.path)".prefix(64))"
                warnings.append("\(place): \(fault.problem); the message is kept, and not shown until an edit mends it")
            }
        }
        if let status = event.status { warnings += warning(ofStatus: status, at: "status") }
        if let said = event.reactions {
            warnings += warning(ofReactions: said, besides: [Self.ownField], at: "reactions")
        }
        if let content = event.body?.content, content.span.mayHaveKey("status", or: "reactions") {
            // A register that is said apart from the body takes the place of the body's own.
            if event.status == nil, let status = Self.member("status", of: content) {
                warnings += warning(ofStatus: status, at: "body.status")
            }
            if event.reactions == nil, let said = Self.member("reactions", of: content) {
                warnings += warning(ofReactions: said, besides: [], at: "body.reactions")
            }
        }
        return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    }

    /// Returns the reason why no style lays out a body; nil where one of them does.
    private func fault(in content: [UInt8], of kind: [UInt8]) -> JSONError? {
        var first: JSONError?
        for spec in fields[kind] ?? [] {
            guard let fault = spec.fault(in: content) else { return nil }
            first = first ?? fault
        }
        // Registers that are said apart from the body take the place of these; for those of the body there is another
        // warning.
        return first.flatMap { ["status", "reactions"].contains($0.path.first) ? nil : $0 }
    }

    private func warning(ofStatus status: [UInt8], at field: String) -> [String] {
        guard !statuses.contains(status) else { return [] }
        let known = statuses.map { text($0[1..<($0.count - 1)]) }.sorted().joined(separator: ", ")
        return ["\(field): \(text(status)) is unknown; known are \(known)"]
    }

    private func warning(ofReactions said: [UInt8], besides others: Set<String>, at field: String) -> [String] {
        guard let reactions, !reactions.areDrawn(said, besides: others) else { return [] }
        return [
            "\(field): expected a list of at most \(reactions.most) like {\"emoji\": \"👍\", \"count\": 2}; the message may not be shown"
        ]
    }

    private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes.prefix(64), as: UTF8.self) }

    /// Returns the kind of a body; nil where there is none that could be compared.
    ///
    /// - Parameter content: an object that was read before, so it is whole and no key is there twice.
    package static func kind(of content: [UInt8]) -> [UInt8]? {
        if let kind = leadingKind(of: content) ?? trailingKind(of: content) { return Array(kind) }
        let kind = member("kind", of: content)
        return kind.flatMap { try? JSONValue.parse($0) }?.string.map { Array($0.utf8) }
    }

    /// Returns a member of an object that was read before, as it is written plainly; nil where there is none.
    private static func member(_ key: StaticString, of content: [UInt8]) -> [UInt8]? {
        let plain = content.span.skimmingAgain { skimmer -> [UInt8]?? in
            var value: [UInt8]?
            let isPlain = skimmer.object { skimmer, found in
                guard skimmer.says(found, key) else { return skimmer.skip() }
                value = skimmer.value()
                return value != nil
            }
            return isPlain ? .some(value) : nil
        }
        if let plain { return plain }
        guard let value = (try? JSONValue.parse(content))?["\(key)"] else { return nil }
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }

    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// Returns the kind of an object that begins with it, as most do.
    private static func leadingKind(of content: [UInt8]) -> ArraySlice<UInt8>? {
        let head = #"{"kind":""#.utf8
        guard content.starts(with: head) else { return nil }
        let rest = content.dropFirst(head.count)
        guard let end = rest.firstIndex(where: { $0 == quote || $0 == backslash }), rest[end] == quote else {
            return nil
        }
        return rest[..<end]
    }

    /// Returns the kind of an object that ends with it. A quote before the last brace ends a string, so the one
    /// before that begins it.
    private static func trailingKind(of content: [UInt8]) -> ArraySlice<UInt8>? {
        let member = #","kind":""#.utf8
        guard content.suffix(2).elementsEqual(#""}"#.utf8) else { return nil }
        let rest = content.dropLast(2)
        guard let start = rest.lastIndex(where: { $0 == quote || $0 == backslash }),
            rest[...start].suffix(member.count).elementsEqual(member)
        else { return nil }
        return rest[(start + 1)...]
    }
}

extension StyleWords.Reactions {
    /// - Parameter others: the fields that one may have besides those of the style.
    fileprivate func areDrawn(_ reactions: [UInt8], besides others: Set<String>) -> Bool {
        let isPlain = reactions.span.skimming { skimmer -> Bool? in
            var count = 0
            let isList = skimmer.array { skimmer in
                var hasEmoji = false
                count += 1
                let isObject = skimmer.object { skimmer, key in
                    if skimmer.says(key, "count") { return skimmer.integer() != nil }
                    if skimmer.says(key, "own") { return skimmer.bool() != nil }
                    if skimmer.says(key, "emoji") {
                        hasEmoji = skimmer.isAtString
                        guard hasEmoji else { return false }
                    } else if !(skimmer.says(key, "by") && others.contains(StyleWords.ownField)) {
                        return false
                    }
                    return skimmer.skip()
                }
                return isObject && hasEmoji
            }
            return isList && count <= most ? true : nil
        }
        if isPlain == true { return true }
        // A list that is spelled otherwise may be right all the same.
        guard let list = (try? JSONValue.parse(reactions))?.array, list.count <= most else { return false }
        return list.allSatisfy {
            $0["emoji"]?.string != nil && ($0["count"].map { $0.number?.integer != nil } ?? true)
                && ($0["own"].map { $0.bool != nil } ?? true)
                && $0.object?.members.allSatisfy { fields.contains($0.key) || others.contains($0.key) } == true
        }
    }
}
