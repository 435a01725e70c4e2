extension InlineParser {
    /// Pairs each closer with the nearest opener, as CommonMark does, and forgets all delimiters from `bottom` on.
    ///
    /// Linear: the delimiters that a search goes past are either dropped by the pair that it finds, or not searched
    /// again by that class of closers.
    mutating func matchDelimiters(from bottom: Int) {
        guard bottom < delimiters.count else { return }
        var openers: [DelimiterRun] = []
        var searched = Array(repeating: 0, count: DelimiterRun.closerClasses)
        for place in bottom..<delimiters.count {
            var run = delimiters[place]
            if run.canClose {
                while !run.isEmpty, let opener = openers.last(for: run, from: searched[run.closerClass]) {
                    openers.removeSubrange((opener + 1)...)
                    pair(&openers[opener], &run)
                    if openers[opener].isEmpty { openers.removeLast() }
                }
                searched[run.closerClass] = run.start
            }
            if run.canOpen, !run.isEmpty { openers.append(run) }
        }
        delimiters.removeSubrange(bottom...)
    }

    private mutating func pair(_ opener: inout DelimiterRun, _ closer: inout DelimiterRun) {
        let length = opener.pairLength(with: closer)
        opener.end -= length
        let inside = opener.end + length..<closer.start
        closer.start += length
        let look: Look? =
            switch closer.kind {
            case .star, .underscore: length == 2 ? .bold : .italic
            case .strike: .strike
            case .spoiler: nil
            }
        hide(opener.end..<inside.lowerBound, opening: look)
        hide(inside.upperBound..<closer.start, closing: look)
        if look == nil { add(inside, .spoiler) }
    }
}

extension [DelimiterRun] {
    /// The nearest opener that goes with `closer`, among those that start at `bottom` or behind it.
    fileprivate func last(for closer: DelimiterRun, from bottom: Int) -> Int? {
        for place in indices.reversed() {
            guard self[place].start >= bottom else { return nil }
            if self[place].pairLength(with: closer) > 0 { return place }
        }
        return nil
    }
}
