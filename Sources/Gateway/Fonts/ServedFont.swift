import JSON

/// A part of a face, as WOFF2. A cluster of a text is drawn by the first slice that has all of its characters.
package struct ServedSlice: Equatable, Sendable {
    /// Of its bytes.
    package var hash: String
    package var bytes: Int
    package var characters: String

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("hash")
            json.string(hash)
            json.key("bytes")
            json.integer(bytes)
            json.key("characters")
            json.string(characters)
        }
    }
}

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
    /// Tags of languages in whose texts it stands in front of another family; in others it is not asked.
    package var languages: [String]
    /// The name of that family.
    package var instead: String?
    /// Place in a collection, else 0.
    package var index: Int
    /// Of the whole file: 64 small hexadecimal digits.
    package var hash: String
    package var path: String
    /// Of the whole file.
    package var bytes: Int
    /// What it has a glyph for.
    package var characters: CharacterRanges
    /// What it is cut into, as WOFF2; none where that is not made yet.
    package var slices: [ServedSlice] = []
    /// The file with the text of its licence, where the list of fonts names one.
    package var licence: String?

    package init(
        family: String, weight: Int? = nil, isItalic: Bool = false, isEmoji: Bool = false, isMonospaced: Bool = false,
        languages: [String] = [], instead: String? = nil, index: Int = 0, hash: String, path: String, bytes: Int = 0,
        characters: CharacterRanges = CharacterRanges([]),
        licence: String? = nil
    ) {
        (self.family, self.weight, self.isItalic) = (family, weight, isItalic)
        (self.isEmoji, self.isMonospaced) = (isEmoji, isMonospaced)
        (self.languages, self.instead) = (languages, instead)
        (self.index, self.hash, self.path) = (index, hash, path)
        (self.bytes, self.characters, self.licence) = (bytes, characters, licence)
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
            if let instead {
                json.key("languages")
                json.array { json in for language in languages { json.string(language) } }
                json.key("instead")
                json.string(instead)
            }
            json.key("index")
            json.integer(index)
            json.key("hash")
            json.string(hash)
            json.key("bytes")
            json.integer(bytes)
            json.key("characters")
            json.string(characters.text)
            if !slices.isEmpty {
                json.key("slices")
                json.array { json in for slice in slices { slice.write(to: &json) } }
            }
            if licence != nil {
                json.key("licence")
                json.string("/v1/fonts/\(hash)/licence")
            }
        }
    }
}
