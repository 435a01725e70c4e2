/// Texts of many messages of one plan, each broken for all of them in one go, where a lane is a message and not a screen.
struct TextBulk {
    var isOn = false
    /// The messages at hand, and those of them of which nothing is known in the room that they have.
    var isThere = LaneMask.none
    var isOther = LaneMask.none
    /// Lines are asked for, too, and not only how many there are.
    let keepsLines: Bool
    /// Texts that come before those of a message.
    private let literals: Int
    private let columns: [TextColumn]
    /// For each text of the plan the rooms that it was broken in, and where its fits then begin.
    private var broken: [[(room: Int32, first: Int)]]
    private var first = 0

    /// Mostly there is one, and that of a row without an end.
    private static let mostRooms = 3

    init(_ columns: [TextColumn] = [], literals: Int = 0, keepsLines: Bool = false) {
        (self.columns, self.literals, self.keepsLines) = (columns, literals, keepsLines)
        broken = Array(repeating: [], count: columns.count)
    }

    /// Turns to some messages.
    mutating func turn(to messages: Range<Int>) {
        first = messages.lowerBound
        (isOn, isOther, isThere) = (true, .none, LaneMask(first: messages.count))
    }

    /// The text of the plan, by its number.
    @inline(__always)
    func column(of value: Int) -> Int? {
        let place = value - literals
        return columns.indices ~= place ? place : nil
    }

    subscript(column: Int) -> TextColumn { columns[column] }

    /// The rooms that a text was broken in so far, and where its fits then begin.
    @inline(__always)
    func fits(of column: Int) -> [(room: Int32, first: Int)] { broken[column] }

    func mayBreak(_ column: Int) -> Bool { broken[column].count < Self.mostRooms }

    mutating func note(_ column: Int, room: Int32, first: Int) { broken[column].append((room, first)) }

    /// The place of a message among the fits of a text.
    @inline(__always)
    func place(_ column: Int, _ lane: Int) -> Int { Int(columns[column].places[first &+ lane]) }
}
