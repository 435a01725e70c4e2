import JSON

/// A part of a face, as WOFF2. A cluster of a text is drawn by the first slice that has all of its characters.
package struct ServedSlice: Equatable, Sendable {
    /// The hash of its bytes.
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

/// A face of the list that texts were measured with, as a client finds it, and the characters that it is for.
package struct ServedFont: Equatable, Sendable {
    package var family: String
    /// The weight as CSS counts; nil for the only face of a family, which serves every weight.
    package var weight: Int?
    package var isItalic: Bool
    /// Whether clusters with emoji presentation are drawn with it, before any other family.
    package var isEmoji: Bool
    /// Whether it comes first where fixed pitch is asked for.
    package var isMonospaced: Bool
    /// Tags of languages in whose texts it stands in front of another family; in others it is not tried.
    package var languages: [String]
    /// The name of that family.
    package var instead: String?
    /// Its place in a collection, else 0.
    package var index: Int
    /// The hash of the whole file: 64 small hexadecimal digits.
    package var hash: String
    package var path: String
    /// The size of the whole file.
    package var bytes: Int
    /// The characters that it has a glyph for.
    package var characters: CharacterRanges
    /// The slices that it is cut into, as WOFF2; none where they are not made yet.
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

    /// Writes the font without its path, which is nobody else's business.
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
