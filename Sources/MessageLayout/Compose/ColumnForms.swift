import Bytes

/// How columns were arranged before, in this message and in others: what has the form of one of them is not placed again.
struct ColumnForms: ~Copyable {
    /// For each column, group of screens and variant the stamp; then by state, and by whether the stamp has a line of its
    /// own, how the last layout was arranged.
    private var stamps = Buffer<Stamp>()
    private var forms = Buffer<Form>()
    /// By number.
    private(set) var arrangements: [Arrangement] = []
    private(set) var stampTexts = Buffer<StampText>()
    /// Of this message on this group of screens, for each part of a stamp its block; -1 for none.
    var blocks = Buffer<Int32>()
    private var group = -1

    // Not private: the compiler stumbles over memory of what other files cannot name.
    struct Form {
        var form = ColumnForm()
        /// Of the bubble.
        var radius: Int32 = 0
        var number: Int32 = -1
        var changes: Int32 = 0
    }

    /// What is the same under every message.
    struct Stamp {
        var size = PixelSize.zero
        /// In `stampTexts`.
        var first = 0
        var end = -1
    }

    /// One of its texts, all in one line.
    struct StampText {
        var part: Int
        var block: LayoutSheet.Block
        var line: LayoutSheet.BlockLine
        /// Of its node.
        var width: Int32
    }

    private static let mostChanges: Int32 = 8

    /// Turns to another message.
    mutating func begin() { group = -1 }

    mutating func turn(to group: Int, parts: Int) {
        guard group != self.group else { return }
        self.group = group
        blocks.refill(-1, count: parts)
    }

    @inline(__always)
    func stamp(at place: Int) -> Stamp? {
        place < stamps.count && stamps[place].end >= 0 ? stamps[place] : nil
    }

    mutating func keep(_ size: PixelSize, _ texts: [StampText], at place: Int) {
        while stamps.count <= place { stamps.append(Stamp()) }
        let first = stampTexts.count
        for text in texts { stampTexts.append(text) }
        stamps[place] = Stamp(size: size, first: first, end: stampTexts.count)
    }

    /// The number of an arrangement, if the last layout was arranged so, too; else -1.
    /// The number of an arrangement, if the last layout was arranged so, too; else -1.
    @inline(__always)
    func number(at place: Int, _ state: Int, _ stamp: StampMode, _ form: ColumnForm, radius: Int32) -> Int32 {
        let own = own(place, state, stamp)
        guard own < forms.count, forms[own].radius == radius, forms[own].form == form else { return -1 }
        return forms[own].number
    }

    /// Where it differs time and again, nothing is gained by numbers.
    func mayAdd(at place: Int, _ state: Int, _ stamp: StampMode) -> Bool {
        let own = own(place, state, stamp)
        return own >= forms.count || forms[own].changes < ColumnForms.mostChanges
    }

    /// Returns its number.
    mutating func add(
        _ arrangement: Arrangement, at place: Int, _ state: Int, _ stamp: StampMode, _ form: ColumnForm, radius: Int32
    ) -> Int32 {
        let own = own(place, state, stamp)
        while forms.count <= own { forms.append(Form()) }
        let number = Int32(arrangements.count)
        arrangements.append(arrangement)
        forms[own] = Form(form: form, radius: radius, number: number, changes: forms[own].changes + 1)
        return number
    }

    @inline(__always)
    private func own(_ place: Int, _ state: Int, _ stamp: StampMode) -> Int {
        (place * 2 + state) * 2 + (stamp == .ownLine ? 1 : 0)
    }
}
