/// A colour of eight for a name, the same in every picture: of people, and of pictures that are not here.
struct Hue {
    let number: Int
    static let count = 8

    init(of name: String) {
        // Names that differ in one letter are far apart.
        let hash = name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        number = Int((hash ^ hash >> 15) % UInt32(Self.count))
    }

    var text: String { "name n\(number)" }
    var disc: String { "disc d\(number)" }
    var picture: String { "url(#picture\(number))" }
}

/// The letters in the disc of somebody: the first ones of the first and the last word.
enum Initials {
    static func of(_ name: String) -> String {
        let words = name.split { $0.isWhitespace || $0 == "-" || $0 == "_" || $0 == "." }.filter {
            $0.first?.isLetter ?? false
        }
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        return letters.map { $0.uppercased() }.joined()
    }
}
