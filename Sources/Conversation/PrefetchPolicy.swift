package import Wire

/// When the next page is asked for, so that it is there before it is seen.
package struct PrefetchPolicy: Hashable, Sendable {
    /// A page is asked for when so many thousandths of the window are left before its edge,
    package var edge: Int32
    /// or so many tenths of a screen, whatever is more,
    package var tenthsOfScreen: Int32
    /// or as much as passes in so many milliseconds.
    package var lead: Int32
    /// Older rows are asked for at the very top only, as some messengers do.
    package var olderAtTopOnly: Bool

    package init(edge: Int32 = 50, tenthsOfScreen: Int32 = 20, lead: Int32 = 300, olderAtTopOnly: Bool = false) {
        (self.edge, self.tenthsOfScreen, self.lead, self.olderAtTopOnly) = (edge, tenthsOfScreen, lead, olderAtTopOnly)
    }

    /// - Parameters:
    ///   - bottom: of the last row of the window.
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
    /// What a screen that shows this asks for.
    package func sides(showing range: Range<Int64>) -> [WindowSide] {
        var sides: [WindowSide] = []
        if let older, range.lowerBound <= older { sides.append(.older) }
        if let newer, range.upperBound >= newer { sides.append(.newer) }
        return sides
    }
}
