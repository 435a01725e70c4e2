/// What may differ between the layouts of a column on screens with the same measures, but for sizes of texts and what follows
/// from them.
struct ColumnForm: Equatable {
    /// How far the stamp reaches below the text, and the column below the stamp.
    var below: Int32 = 0
    var belowStamp: Int32 = 0
    /// Of the stamp; where it had not the room that it wants, more may differ.
    var stamp = PixelSize.zero
    /// Other texts, and of each how many lines it has.
    private var texts: Int32 = 0
    private var lines: UInt64 = 0
    /// Whether all are told.
    private var isWhole = true

    mutating func add(lines count: Int32) {
        texts += 1
        lines = lines << 16 | UInt64(truncatingIfNeeded: count)
        if texts > 4 || count >= 1 << 16 { isWhole = false }
    }

    static func == (one: ColumnForm, other: ColumnForm) -> Bool {
        one.below == other.below && one.belowStamp == other.belowStamp && one.stamp == other.stamp
            && one.lines == other.lines
            && one.texts == other.texts && one.isWhole && other.isWhole
    }
}
