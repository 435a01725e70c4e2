/// Texts of many messages of one plan, each broken for all of them in one go: a lane is a message and not a screen.
struct TextBulk {
    var isOn = false
    /// The messages at hand, and those among them that have to be laid out by themselves.
    var isThere = LaneMask.none
    var isOther = LaneMask.none
    /// Whether lines are kept, and not only their number.
    let keepsLines: Bool
    /// The number of texts that come before those of a message.
    private let literals: Int
    private let columns: [TextColumn]
    /// The rooms that each text of the plan was broken in, and where the fits of each begin.
    private var broken: [[(room: Int32, first: Int)]]
    private var first = 0

    /// The most rooms that a text is broken in. Mostly there is one, and that of a row without an end.
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

    /// The column of a text of the plan, by its place on the shelf.
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
