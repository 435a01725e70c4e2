extension Int32 {
    /// Parts a length into up to 64 by weights, with `spacing` between the parts: nothing is left over, and no part
    /// is shorter than the least unless all have to be. `body` gets each part, in their order.
    ///
    ///     100.part(among: 2, spacing: 1, least: 10) { [1, 2][$0] } _: { print($0, $1) }  // 0 0..<33, 1 34..<100
    func part(
        among count: Int, spacing: Int32, least: Int32, weight: (Int) -> Int64, _ body: (Int, Range<Int32>) -> Void
    ) {
        guard count > 0 else { return }
        func share(of place: Int) -> Int64 { Swift.max(weight(place), 1) }
        // A length with hardly any room gives the most of it to the parts.
        let spacing = Swift.min(spacing, self / Int32(2 * count))
        let length = self - spacing * Int32(count - 1)
        let least = Swift.min(least, length / Int32(count))
        // Parts that would be shorter than the least get the least, and the others share the rest.
        var (short, shorter): (UInt64, UInt64) = (0, 0)
        var (room, sum): (Int64, Int64)
        repeat {
            short |= shorter
            (room, sum, shorter) = (Int64(length), 0, 0)
            for place in 0..<count {
                if short >> UInt64(place) & 1 == 1 { room -= Int64(least) } else { sum += share(of: place) }
            }
            for place in 0..<count where short >> UInt64(place) & 1 == 0 {
                if room * share(of: place) < Int64(least) * sum { shorter |= 1 << UInt64(place) }
            }
        } while shorter != 0
        // Each part ends at the whole pixel before its exact end, so that none is shorter than its share rounded down.
        var (start, before): (Int32, Int64) = (0, 0)
        for place in 0..<count {
            var own = least
            if short >> UInt64(place) & 1 == 0 {
                let exact = room * before / sum
                before += share(of: place)
                own = Int32(room * before / sum - exact)
            }
            body(place, start..<start + own)
            start += own + spacing
        }
    }
}
