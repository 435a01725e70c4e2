import Drawing

/// Many pictures, and each of their lines of markup once: layouts of one message have most of them in common, and a
/// page is a third as large.
struct PictureShelf {
    /// The lines of all pictures.
    private(set) var lines: [String] = []
    /// The facts about each picture and its lines, in base 36 for the script.
    private(set) var pictures: [String] = []
    private var linePlaces: [Substring: Int] = [:]
    private var picturePlaces: [String: Int] = [:]

    var count: Int { pictures.count }

    mutating func place(of picture: RowPicture, facts: String) -> Int {
        let numbers = picture.element().split(separator: "\n").map { String(place(of: $0), radix: 36) }
        let text = facts + "|" + numbers.joined(separator: " ")
        if let known = picturePlaces[text] { return known }
        picturePlaces[text] = pictures.count
        pictures.append(text)
        return pictures.count - 1
    }

    private mutating func place(of line: Substring) -> Int {
        if let known = linePlaces[line] { return known }
        let own = String(line)
        linePlaces[own[...]] = lines.count
        lines.append(own)
        return lines.count - 1
    }
}
