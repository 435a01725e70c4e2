/// Lines that end inside a word, because it is wider than the box.
extension LineBreaker {
    /// The line that ends with the last cluster that fits, or the first.
    func wordLine(of text: borrowing MeasuredText, from start: Int32) -> Line {
        var end = lastCluster(in: text, from: start, most: most)
        if end.unhyphenatedWidth + end.hyphen > most {
            end = lastCluster(in: text, from: start, most: most - end.hyphen)
        }
        return line(from: start, to: end, traits: .emergency)
    }

    private func lastCluster(in text: borrowing MeasuredText, from start: Int32, most: Int32) -> Candidate {
        var pen = Pen(text, at: start, breaker: self)
        let near = pen.advance(over: text, upTo: most)
        var best: Candidate?
        walk(text, from: pen, at: near, stopping: .clusters) { candidate in
            if best == nil || candidate.unhyphenatedWidth <= most { best = candidate }
            return candidate.rawWidth <= most
        }
        guard let best else { preconditionFailure("a walk ends with a candidate") }
        return best
    }
}

extension Pen {
    /// Goes from the start of a line as far as letters of one run fit, then back to a place where an end of the line
    /// changes nothing. Returns that place; the places before it need no look.
    fileprivate mutating func advance(over text: borrowing MeasuredText, upTo most: Int32) -> Int {
        let advances = text.advances.span
        let marks = text.marks.span
        let limit = Int64(most) << 16 &- exact
        let start = Int(start)
        let end = min(runEnd, marks.count)
        var units: Int32 = 0
        var i = start
        // Eight at a time, while all of them are letters and fit.
        while i &+ 8 <= end {
            let next = unsafe advances.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i &* 4, as: SIMD8<Int32>.self)
            let eight = unsafe marks.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self)
            let sum = units &+ next.wrappedSum()
            guard eight & Pen.eightNotable == 0, Int64(sum) &* factor <= limit else { break }
            units = sum
            i &+= 8
        }
        while i < end && marks[i].isDisjoint(with: Pen.notable) {
            let sum = units &+ advances[i]
            guard Int64(sum) &* factor <= limit else { break }
            units = sum
            i &+= 1
        }
        while i > start && (i == end || marks[i].intersection(Pen.decisive) != .cluster) {
            i &-= 1
            units &-= advances[i]
        }
        if i > start {
            exact &+= Int64(units) &* factor
            keepContent(to: i)
        }
        return i
    }

    private static var notable: Marks { [.space, .newline, .softHyphen] }
    private static var eightNotable: UInt64 { UInt64(notable.rawValue) &* 0x0101_0101_0101_0101 }
    private static var decisive: Marks { notable.union([.unsafe, .cluster]) }
}
