import Pool

/// The share of a segment that is needed, counted when all of its entries were looked at once.
struct SegmentRemains {
    let segment: SegmentName
    private var (left, all) = (0, 0)

    init(segment: SegmentName) { self.segment = segment }

    /// Whether so much is needed that rewriting the segment would not be worth it.
    var isMost: Bool { left > 0 && left >= all / 2 }

    mutating func note(_ frame: LogFrame, at place: LogPosition, isLeft: Bool) {
        let (body, change) = (frame.body(at: place).count, frame.change(at: place).count)
        all += body + change
        // The tables have everything of an entry without a body.
        if isLeft, body > 0 { left += body + change }
    }
}
