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
    /// Goes from the start of a line as far as letters of one run fit, to a place where nothing changes when the line
    /// ends there, and answers which. What would fit before it need not be looked at.
    fileprivate mutating func advance(over text: borrowing MeasuredText, upTo most: Int32) -> Int {
        let advances = text.advances.span
        let marks = text.marks.span
        let limit = Int64(most) << 16
        let end = min(runEnd, marks.count)
        var (i, sum) = (Int(start), exact)
        var (near, nearSum) = (i, sum)
        while i < end && marks[i].isDisjoint(with: [.space, .newline, .softHyphen]) {
            if marks[i].isDisjoint(with: .unsafe) && marks[i].contains(.cluster) { (near, nearSum) = (i, sum) }
            sum &+= Int64(advances[i]) &* factor
            i &+= 1
            if sum > limit { break }
        }
        if near > Int(start) {
            exact = nearSum
            keepContent(to: near)
        }
        return near
    }
}
