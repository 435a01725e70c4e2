package import Wire

/// The moment to ask for the next page, so that it is there before it is seen.
package struct PrefetchPolicy: Hashable, Sendable {
    /// The distance to the window's edge at which a page is asked for, in thousandths of the window.
    package var edge: Int32
    /// The same in tenths of a screen: the greater one counts.
    package var tenthsOfScreen: Int32
    /// The time ahead, in milliseconds: a page is also asked for when the reader scrolls to the edge within it.
    package var lead: Int32
    /// Whether older rows are asked for only at the very top, as some messengers do.
    package var olderAtTopOnly: Bool

    package init(edge: Int32 = 50, tenthsOfScreen: Int32 = 20, lead: Int32 = 300, olderAtTopOnly: Bool = false) {
        (self.edge, self.tenthsOfScreen, self.lead, self.olderAtTopOnly) = (edge, tenthsOfScreen, lead, olderAtTopOnly)
    }

    /// - Parameters:
    ///   - bottom: the bottom of the window's last row.
    ///   - velocity: in device pixels a second, positive towards newer rows.
    package func hint(for frame: WindowFrame, bottom: Int64, screen: Int32, velocity: Int64 = 0) -> PrefetchHint {
        let near = max((bottom - frame.top) * Int64(edge) / 1000, Int64(screen) * Int64(tenthsOfScreen) / 10)
        let bounded = max(-1 << 40, min(velocity, 1 << 40))
        let older = olderAtTopOnly ? 0 : max(near, -bounded * Int64(lead) / 1000)
        let newer = max(near, bounded * Int64(lead) / 1000)
        return PrefetchHint(
            older: frame.hasOlder ? frame.top + older : nil, newer: frame.hasNewer ? bottom - newer : nil)
    }
}

extension PrefetchHint {
    /// The sides to ask for, of a window whose screen shows this range.
    package func sides(showing range: Range<Int64>) -> [WindowSide] {
        var sides: [WindowSide] = []
        if let older, range.lowerBound <= older { sides.append(.older) }
        if let newer, range.upperBound >= newer { sides.append(.newer) }
        return sides
    }
}
