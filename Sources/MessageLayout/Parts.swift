extension Int32 {
    /// Parts a length by weights, with so much space between the parts: nothing is left over, and no part is shorter than
    /// the least unless all have to be.
    ///
    ///     100.parts([1, 2], spacing: 1, least: 10)  // 0..<33, 34..<100
    func parts(_ weights: [Int64], spacing: Int32, least: Int32) -> [Range<Int32>] {
        let count = Int32(weights.count)
        guard count > 0 else { return [] }
        // A length with hardly any room gives the most of it to the parts.
        let spacing = Swift.min(spacing, self / (2 * count))
        let room = self - spacing * (count - 1)
        let shares = room.shares(weights.map { Swift.max($0, 1) }, least: Swift.min(least, room / count))
        var start: Int32 = 0
        return shares.map { share in
            defer { start += share + spacing }
            return start..<start + share
        }
    }

    /// Those that would be shorter than the least are as long as it, and the others share what is left.
    private func shares(_ weights: [Int64], least: Int32) -> [Int32] {
        var isShort = weights.map { _ in false }
        while true {
            var (room, sum) = (Int64(self), Int64(0))
            for (place, weight) in weights.enumerated() {
                if isShort[place] { room -= Int64(least) } else { sum += weight }
            }
            let tooShort = weights.indices.filter {
                !isShort[$0] && room * weights[$0] < Int64(least) * sum
            }
            guard !tooShort.isEmpty else {
                return rounded(weights, isShort, least: least, room: room, sum: sum)
            }
            for place in tooShort { isShort[place] = true }
        }
    }

    /// Each part ends at the whole pixel before its exact end, so that none is shorter than its share rounded down.
    private func rounded(
        _ weights: [Int64], _ isShort: [Bool], least: Int32, room: Int64, sum: Int64
    ) -> [Int32] {
        var weight: Int64 = 0
        return weights.indices.map { index in
            guard !isShort[index] else { return least }
            let start = room * weight / sum
            weight += weights[index]
            return Int32(room * weight / sum - start)
        }
    }
}
