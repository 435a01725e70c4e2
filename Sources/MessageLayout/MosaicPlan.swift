/// Which pictures of an album stand beside each other.
enum MosaicPlan: Hashable {
    /// So many pictures to a row.
    case rows(MosaicRows)
    /// The first fills one side, and the others stand under each other beside it.
    case side

    /// The plan that people would choose, or of all partitions into rows the one whose height is nearest to four thirds of
    /// the width. Of equals, the first.
    static func best(for ratios: [Ratio], in frame: Mosaic.Frame) -> MosaicPlan {
        if let plan = usual(for: ratios), plan.fits(ratios.count, frame) { return plan }
        var search = MosaicSearch(ratios, frame)
        return .rows(search.best())
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

    private func fits(_ count: Int, _ frame: Mosaic.Frame) -> Bool {
        switch self {
        case .rows(let rows): frame.fits(columns: rows.most, rows: rows.count)
        case .side: frame.fits(columns: 2, rows: count - 1)
        }
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

    private static func rowHeights(_ rows: MosaicRows, _ ratios: [Ratio], _ frame: Mosaic.Frame)
        -> [Int64]
    {
        var place = 0
        return rows.counts.map { count in
            defer { place += count }
            return frame.rowHeight(of: ratios[place..<place + count])
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
            return zip(rows.counts, bounds.rows(heights, frame)).flatMap { count, row in
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
    func spacing(between count: Int) -> Int64 { Int64(spacing) * Int64(count - 1) }

    fileprivate func leastLength(of count: Int) -> Int64 {
        Int64(least) * Int64(count) + spacing(between: count)
    }

    func fits(columns: Int, rows: Int) -> Bool {
        leastLength(of: columns) <= width && leastLength(of: rows) <= height
    }

    /// Of pictures beside each other that fill the width.
    func rowHeight(of pictures: ArraySlice<Ratio>) -> Int64 {
        let sum = pictures.reduce(0) { $0 + $1.thousandths }
        return max((Int64(width) - spacing(between: pictures.count)) * 1000 / sum, Int64(least), 1)
    }
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
