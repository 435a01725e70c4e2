/// Many drawings, and each of their lines of markup once: layouts of one message have most of them in common, and a page
/// is a third as large.
struct DrawingShelf {
    /// Those of all drawings.
    private(set) var lines: [String] = []
    /// For each drawing what is told about it, and its lines, in base 36 for the script.
    private(set) var drawings: [String] = []
    private var linePlaces: [Substring: Int] = [:]
    private var drawingPlaces: [String: Int] = [:]

    var count: Int { drawings.count }

    mutating func place(of drawing: Drawing, facts: String) -> Int {
        let numbers = drawing.element().split(separator: "\n").map { String(place(of: $0), radix: 36) }
        let text = facts + "|" + numbers.joined(separator: " ")
        if let known = drawingPlaces[text] { return known }
        drawingPlaces[text] = drawings.count
        drawings.append(text)
        return drawings.count - 1
    }

    private mutating func place(of line: Substring) -> Int {
        if let known = linePlaces[line] { return known }
        let own = String(line)
        linePlaces[own[...]] = lines.count
        lines.append(own)
        return lines.count - 1
    }
}
