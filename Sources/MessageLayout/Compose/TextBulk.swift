/// Texts of many messages of one plan, broken in one go, where a lane is a message and not a screen.
struct TextBulk {
    var isOn = false
    /// The messages at hand, and those of them of which nothing is known in the room that they have.
    var isThere = LaneMask.none
    var isOther = LaneMask.none
    /// Texts that come before those of a message.
    private let literals: Int
    /// For each text of the plan those of all messages; none where it was not broken.
    private var texts: [[TextFit]]
    private var first = 0

    init(literals: Int = 0, texts: [[TextFit]] = []) { (self.literals, self.texts) = (literals, texts) }

    var isEmpty: Bool { texts.isEmpty }

    /// Turns to some messages.
    mutating func turn(to messages: Range<Int>) {
        first = messages.lowerBound
        (isOn, isOther, isThere) = (true, .none, LaneMask(first: messages.count))
    }

    /// The text of the plan, by its number.
    @inline(__always)
    func column(of value: Int32) -> Int? {
        let place = Int(value) - literals
        return place >= 0 && place < texts.count && !texts[place].isEmpty ? place : nil
    }

    @inline(__always)
    func fit(_ column: Int, _ lane: Int) -> TextFit { texts[column][first &+ lane] }
}
