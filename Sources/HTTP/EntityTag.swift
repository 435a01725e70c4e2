/// The tag of an answer (`ETag`), by which a client asks whether its copy is still current.
package struct EntityTag: Equatable, Sendable, CustomStringConvertible {
    package let text: String
    /// Whether equal tags mean equal bytes. An answer that may be compressed has a weak tag: one tag, whatever the
    /// coding.
    package let isStrong: Bool

    /// - Parameter text: printable ASCII without quotes.
    package init(_ text: String, isStrong: Bool = false) {
        precondition(text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") })
        self.text = text
        self.isStrong = isStrong
    }

    package var description: String { isStrong ? "\"\(text)\"" : "W/\"\(text)\"" }

    /// Whether a list of tags, as `If-None-Match` has it, names this one.
    func isNamed(in list: String) -> Bool {
        if list == "*" { return true }
        // No tag of ours has a comma in it, so a tag that is cut in pieces here is not ours.
        return list.split(separator: ",").contains { element in
            var tag = String(element).withoutOuterSpace
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag.utf8.elementsEqual("\"\(text)\"".utf8)
        }
    }
}
