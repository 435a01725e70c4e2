/// Which pictures of an album stand beside each other.
enum MosaicPlan: Hashable {
    /// So many pictures to a row.
    case rows([Int])
    /// The first fills one side, and the others stand under each other beside it.
    case side

    /// The plan that people would choose, or of all partitions into rows the one whose height is nearest to four thirds of
    /// the width. Of equals, the first.
    static func best(for ratios: [Ratio], in frame: Mosaic.Frame) -> MosaicPlan {
        let count = ratios.count
        if let plan = usual(for: ratios), plan.fits(count, frame) { return plan }
        let partitions = partitions(of: count, rows: 4).map(MosaicPlan.rows)
        let fitting = partitions.filter { $0.fits(count, frame) }
        let ideal = min(Int64(frame.width) * 4 / 3, Int64(frame.height))
        let scored = (fitting.isEmpty ? partitions : fitting).map { plan in
            (plan, distance: abs(plan.idealHeight(of: ratios, in: frame) - ideal))
        }
        return scored.min { $0.distance < $1.distance }?.0 ?? .rows([count])
    }

    private static func usual(for ratios: [Ratio]) -> MosaicPlan? {
        switch ratios.count {
        case 1: .rows([1])
        case 2: ratios.allSatisfy(\.isWide) ? .rows([1, 1]) : .rows([2])
        case 3: ratios[0].isNarrow ? .side : .rows([1, 2])
        // Four that are neither wide nor narrow at their head make a square.
        case 4: ratios[0].isWide ? .rows([1, 3]) : ratios[0].isNarrow ? .side : .rows([2, 2])
        default: nil
        }
    }

    /// All ways to part so many pictures into so many rows or fewer, of one to four.
    private static func partitions(of count: Int, rows: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        guard rows > 0 else { return [] }
        return (1...min(4, count)).flatMap { first in
            partitions(of: count - first, rows: rows - 1).map { [first] + $0 }
        }
    }

    private func fits(_ count: Int, _ frame: Mosaic.Frame) -> Bool {
        let (columns, rows) =
            switch self {
            case .rows(let rows): (rows.max() ?? 0, rows.count)
            case .side: (2, count - 1)
            }
        return frame.leastLength(of: columns) <= frame.width && frame.leastLength(of: rows) <= frame.height
    }
}

extension MosaicPlan {
    func height(of ratios: [Ratio], in frame: Mosaic.Frame) -> Int32 {
        Int32(clamping: min(idealHeight(of: ratios, in: frame), Int64(frame.height)))
    }

    /// At which the pictures are cut least.
    private func idealHeight(of ratios: [Ratio], in frame: Mosaic.Frame) -> Int64 {
        switch self {
        case .rows(let rows):
            Self.rowHeights(rows, ratios, frame).reduce(frame.spacing(between: rows.count), +)
        case .side:
            max(
                (Int64(frame.width) - frame.spacing(between: 2) - Self.stackWidth(ratios, frame)) * 1000
                    / ratios[0].thousandths, frame.leastLength(of: ratios.count - 1))
        }
    }

    private static func rowHeights(_ rows: [Int], _ ratios: [Ratio], _ frame: Mosaic.Frame) -> [Int64] {
        var rest = ratios[...]
        return rows.map { count in
            let sum = rest.prefix(count).reduce(0) { $0 + $1.thousandths }
            rest = rest.dropFirst(count)
            let room = Int64(frame.width) - frame.spacing(between: count)
            return max(room * 1000 / sum, Int64(frame.least), 1)
        }
    }

    /// The width at which those that stand under each other are as high as the first beside them: with heights h = wΣ(1/r)
    /// and h = (W - w)/r₀, that is W/(1 + r₀Σ(1/r)). The spacing between them is too little to count.
    private static func stackWidth(_ ratios: [Ratio], _ frame: Mosaic.Frame) -> Int64 {
        let inverses = ratios.dropFirst().reduce(0) { $0 + $1.inverse }
        let room = Int64(frame.width) - frame.spacing(between: 2)
        return room * 1000 / (1000 + ratios[0].thousandths * inverses / 1000)
    }

    func rects(of ratios: [Ratio], in bounds: PixelRect, _ frame: Mosaic.Frame) -> [PixelRect] {
        switch self {
        case .rows(let rows):
            var rest = ratios[...]
            let heights = Self.rowHeights(rows, ratios, frame)
            return zip(rows, bounds.rows(heights, frame)).flatMap { count, row in
                defer { rest = rest.dropFirst(count) }
                return row.columns(rest.prefix(count).map(\.thousandths), frame)
            }
        case .side:
            let stack = Self.stackWidth(ratios, frame)
            let sides = bounds.columns([Int64(frame.width) - frame.spacing(between: 2) - stack, stack], frame)
            return [sides[0]] + sides[1].rows(ratios.dropFirst().map(\.inverse), frame)
        }
    }
}

extension Mosaic.Frame {
    fileprivate func spacing(between count: Int) -> Int64 { Int64(spacing) * Int64(count - 1) }

    fileprivate func leastLength(of count: Int) -> Int64 { Int64(least) * Int64(count) + spacing(between: count) }
}

extension PixelRect {
    fileprivate func rows(_ weights: [Int64], _ frame: Mosaic.Frame) -> [PixelRect] {
        height.parts(weights, spacing: frame.spacing, least: frame.least).map {
            PixelRect(left: left, top: top + $0.lowerBound, width: width, height: Int32($0.count))
        }
    }

    fileprivate func columns(_ weights: [Int64], _ frame: Mosaic.Frame) -> [PixelRect] {
        width.parts(weights, spacing: frame.spacing, least: frame.least).map {
            PixelRect(left: left + $0.lowerBound, top: top, width: Int32($0.count), height: height)
        }
    }
}
