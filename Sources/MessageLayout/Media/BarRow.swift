/// The bars of a voice on a screen.
struct BarRow: Equatable {
    /// Place among the lists of bars of a plan.
    var heights: Int32
    /// The number of bars that there is room for.
    var count: Int32
    var least: Int32
    var most: Int32

    /// Appends the heights of bars, each the highest of those that it stands for, and never lower than it is wide.
    func append(_ heights: [UInt8], to bars: inout [UInt8]) {
        let count = min(Int(count), heights.count)
        for place in 0..<max(0, count) {
            var highest: UInt8 = 0
            for own in place * heights.count / count..<(place + 1) * heights.count / count {
                highest = max(highest, heights[own])
            }
            bars.append(UInt8(clamping: max(min(least, most), Int32(highest) * most / 255)))
        }
    }
}
