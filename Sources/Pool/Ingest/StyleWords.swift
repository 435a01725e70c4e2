import JSON
import Wire

/// What a style draws of what events say, to warn producers of what it will not draw as they mean it.
///
/// Such an event is kept like every other: styles change, and what is unknown today is drawn tomorrow. A body that begins or ends with its
/// kind, as most do, costs the comparison of that word, however long it is.
package struct StyleWords: Equatable, Sendable {
    private var kinds: Set<[UInt8]>
    /// As JSON, between quotes.
    private var statuses: Set<[UInt8]>
    /// Nil where the style spells reactions otherwise.
    private var reactions: Reactions?

    /// How many reactions are drawn, each with an emoji, and the fields that one may have.
    package struct Reactions: Equatable, Sendable {
        fileprivate var most: Int
        fileprivate var fields: Set<String>

        package init(most: Int, fields: some Sequence<String>) {
            self.most = most
            // What the service adds up by is its own, and never reaches a style.
            self.fields = Set(fields).union(["by"])
        }
    }

    /// What styles usually know of how far a message got. How each looks is for clients.
    package static let usualStatuses = ["sending", "sent", "delivered", "read", "failed"]

    package init(kinds: some Sequence<String>, statuses: some Sequence<String>, reactions: Reactions?) {
        self.kinds = Set(kinds.map { Array($0.utf8) })
        self.statuses = Set((Array(statuses) + Self.usualStatuses).map { Array("\"\($0)\"".utf8) })
        self.reactions = reactions
    }

    /// What one of both draws.
    package func union(_ other: StyleWords) -> StyleWords {
        var union = self
        union.kinds.formUnion(other.kinds)
        union.statuses.formUnion(other.statuses)
        union.reactions = reactions.flatMap { own in
            other.reactions.map { Reactions(most: max(own.most, $0.most), fields: own.fields.union($0.fields)) }
        }
        return union
    }

    /// Nil where all of it is drawn.
    func warning(of event: MessageEvent) -> String? {
        var warnings: [String] = []
        if let content = event.body?.content, let kind = Self.kind(of: content), !kinds.contains(kind) {
            warnings.append(
                "body.kind: no style draws '\(text(kind))'; the message is shown as one that cannot be shown")
        }
        if let status = event.status, !statuses.contains(status) {
            let known = statuses.map { text($0[1..<($0.count - 1)]) }.sorted().joined(separator: ", ")
            warnings.append("status: \(text(status)) is unknown; known are \(known)")
        }
        if let said = event.reactions, let reactions, !reactions.areDrawn(said) {
            warnings.append(
                "reactions: expected a list of at most \(reactions.most) like {\"emoji\": \"👍\", \"count\": 2}; the message may not be shown"
            )
        }
        return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    }

    private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes.prefix(64), as: UTF8.self) }

    /// Nil where there is none that could be compared.
    ///
    /// - Parameter content: an object that was read before, so it is whole and no key is there twice.
    static func kind(of content: [UInt8]) -> [UInt8]? {
        if let kind = leadingKind(of: content) ?? trailingKind(of: content) { return Array(kind) }
        let plain = content.span.skimmingAgain { skimmer -> [UInt8]? in
            var kind: String?
            let isPlain = skimmer.object { skimmer, key in
                guard skimmer.says(key, "kind") else { return skimmer.skip() }
                kind = skimmer.string()
                return kind != nil
            }
            return isPlain ? kind.map { Array($0.utf8) } : nil
        }
        if let plain { return plain }
        return (try? JSONValue.parse(content))?["kind"]?.string.map { Array($0.utf8) }
    }

    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// Of an object that begins with it, as most do.
    private static func leadingKind(of content: [UInt8]) -> ArraySlice<UInt8>? {
        let head = #"{"kind":""#.utf8
        guard content.starts(with: head) else { return nil }
        let rest = content.dropFirst(head.count)
        guard let end = rest.firstIndex(where: { $0 == quote || $0 == backslash }), rest[end] == quote else {
            return nil
        }
        return rest[..<end]
    }

    /// Of an object that ends with it. A quote before the last brace ends a string, so the one before that begins it.
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
    fileprivate func areDrawn(_ reactions: [UInt8]) -> Bool {
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
                    } else if !skimmer.says(key, "by") {
                        return false
                    }
                    return skimmer.skip()
                }
                return isObject && hasEmoji
            }
            return isList && count <= most ? true : nil
        }
        if isPlain == true { return true }
        // What is spelled otherwise may be right all the same.
        guard let list = (try? JSONValue.parse(reactions))?.array, list.count <= most else { return false }
        return list.allSatisfy {
            $0["emoji"]?.string != nil && ($0["count"].map { $0.number?.integer != nil } ?? true)
                && ($0["own"].map { $0.bool != nil } ?? true)
                && $0.object?.members.allSatisfy { fields.contains($0.key) } == true
        }
    }
}
