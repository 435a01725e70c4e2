import JSON
import Typography

/// Tables of lengths, roles of text and words, which the parts of a style refer to by place.
package struct StyleTables: Sendable {
    /// Lengths by place; the first one is 0.
    private(set) var lengthList: [StyleLength] = [.zero]
    private(set) var lengthNames: [String: LengthID] = [:]
    private(set) var roleList: [TextRole] = []
    private(set) var roleNames: [String: TextRoleID] = [:]
    private(set) var words: [String] = []
    private(set) var literals: [Literal] = []
    private var wordPlaces: [String: Skeleton.Word] = [:]
    var strings: [String: String] = [:]
    var room = RoomRule()
    var variants: [String] = []

    var lengths: [String: StyleLength] { lengthNames.mapValues { lengthList[Int($0.place)] } }
    var roles: [String: TextRole] { roleNames.mapValues { roleList[Int($0.place)] } }

    mutating func add(_ length: StyleLength, named name: String? = nil) -> LengthID {
        if name == nil, let same = lengthList.firstIndex(of: length),
            !lengthNames.values.contains(where: { $0.place == same })
        {
            return LengthID(place: Int16(same))
        }
        let id = LengthID(place: Int16(lengthList.count))
        lengthList.append(length)
        if let name { lengthNames[name] = id }
        return id
    }

    mutating func add(_ role: TextRole, named name: String) {
        roleNames[name] = TextRoleID(place: Int16(roleList.count))
        roleList.append(role)
    }

    mutating func add(_ literal: Literal) -> Int32 {
        if let same = literals.firstIndex(of: literal) { return Int32(same) }
        literals.append(literal)
        return Int32(literals.count - 1)
    }

    /// The number of a word, which is added if it is new; 0 for no word.
    mutating func word(_ text: String) -> Skeleton.Word {
        guard !text.isEmpty else { return 0 }
        if let known = wordPlaces[text] { return known }
        words.append(text)
        wordPlaces[text] = Skeleton.Word(words.count)
        return Skeleton.Word(words.count)
    }

    /// A length by its name, or a number of points.
    mutating func length(_ reader: JSONReader) throws(JSONError) -> LengthID {
        guard let name = reader.value.string else { return add(try StyleLength(reader)) }
        guard let known = lengthNames[name] else {
            let names = lengthNames.keys.sorted().joined(separator: ", ")
            throw reader.mismatch(expected: "points, or one of the lengths \(names)")
        }
        return known
    }

    func role(_ reader: JSONReader) throws(JSONError) -> TextRoleID {
        guard let known = roleNames[try reader.string()] else {
            throw reader.mismatch(expected: "one of the texts \(roleNames.keys.sorted().joined(separator: ", "))")
        }
        return known
    }
}

/// A text that is the same for every message. It is measured once.
package struct Literal: Hashable, Sendable {
    package var text: String
    package var role: TextRoleID
}
