import JSON

/// A face of the list that texts were measured with: how a client finds it, and which characters it is for.
package struct ServedFont: Equatable, Sendable {
    package var family: String
    /// As CSS counts; nil for the only face of a family, which serves every weight.
    package var weight: Int?
    package var isItalic: Bool
    /// Drawn for whatever has emoji presentation, before any other family.
    package var isEmoji: Bool
    /// Comes first where fixed pitch is asked for.
    package var isMonospaced: Bool
    /// Place in a collection, else 0.
    package var index: Int
    /// Of the whole file: 64 small hexadecimal digits.
    package var hash: String
    package var path: String

    package init(
        family: String, weight: Int? = nil, isItalic: Bool = false, isEmoji: Bool = false, isMonospaced: Bool = false,
        index: Int = 0, hash: String, path: String
    ) {
        (self.family, self.weight, self.isItalic) = (family, weight, isItalic)
        (self.isEmoji, self.isMonospaced) = (isEmoji, isMonospaced)
        (self.index, self.hash, self.path) = (index, hash, path)
    }

    /// Without its path, which is nobody else's business.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("family")
            json.string(family)
            if let weight {
                json.key("weight")
                json.integer(weight)
            }
            for (key, value) in [("italic", isItalic), ("emoji", isEmoji), ("monospaced", isMonospaced)] {
                json.key(key)
                json.bool(value)
            }
            json.key("index")
            json.integer(index)
            json.key("hash")
            json.string(hash)
        }
    }
}
