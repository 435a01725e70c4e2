/// The arrangement of an album: its pictures in rows, or the first beside the others.
enum MosaicPlan: Hashable {
    /// Rows, each with a number of pictures.
    case rows(MosaicRows)
    /// The first picture fills one side, and the others stand under each other beside it.
    case side

    /// The plan that people would choose; otherwise, of all partitions into rows, the one whose height is nearest to
    /// four thirds of the width. Among equals, the first wins.
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

    /// The height at which the pictures are cut least.
    private func idealHeight(of ratios: [Ratio], in frame: Mosaic.Frame) -> Int64 {
        switch self {
        case .rows(let rows):
            (0..<rows.count).reduce(frame.spacing(between: rows.count)) {
                $0 + frame.rowHeight(of: rows.pictures(in: $1), ratios)
            }
        case .side:
            max(
                (Int64(frame.width) - frame.spacing(between: 2) - Self.stackWidth(ratios, frame)) * 1000
                    / ratios[0].thousandths, frame.leastLength(of: ratios.count - 1))
        }
    }

    /// The width at which the pictures under each other are as high as the first beside them: with heights h =
    /// wΣ(1/r) and h = (W - w)/r₀, that is W/(1 + r₀Σ(1/r)). The spacing between them is too little to count.
    private static func stackWidth(_ ratios: [Ratio], _ frame: Mosaic.Frame) -> Int64 {
        let inverses = ratios.dropFirst().reduce(0) { $0 + $1.inverse }
        let room = Int64(frame.width) - frame.spacing(between: 2)
        return room * 1000 / (1000 + ratios[0].thousandths * inverses / 1000)
    }

    /// Calls `body` with the cell of each picture, in their order.
    func forEachCell(of ratios: [Ratio], in bounds: PixelRect, _ frame: Mosaic.Frame, _ body: (PixelRect) -> Void) {
        switch self {
        case .rows(let rows):
            bounds.forEachRow(of: rows.count, frame) {
                frame.rowHeight(of: rows.pictures(in: $0), ratios)
            } _: {
                let pictures = rows.pictures(in: $0)
                $1.forEachColumn(of: pictures.count, frame) {
                    ratios[pictures.lowerBound + $0].thousandths
                } _: {
                    body($1)
                }
            }
        case .side:
            let stack = Self.stackWidth(ratios, frame)
            bounds.forEachColumn(of: 2, frame) {
                $0 == 1 ? stack : Int64(frame.width) - frame.spacing(between: 2) - stack
            } _: {
                guard $0 == 1 else { return body($1) }
                $1.forEachRow(of: ratios.count - 1, frame) {
                    ratios[$0 + 1].inverse
                } _: {
                    body($1)
                }
            }
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

    /// The height of pictures beside each other that fill the width.
    func rowHeight(of pictures: Range<Int>, _ ratios: [Ratio]) -> Int64 {
        var sum: Int64 = 0
        for picture in pictures { sum += ratios[picture].thousandths }
        return max((Int64(width) - spacing(between: pictures.count)) * 1000 / sum, Int64(least), 1)
    }
}

extension PixelRect {
    fileprivate func forEachRow(
        of count: Int, _ frame: Mosaic.Frame, _ weight: (Int) -> Int64, _ body: (Int, PixelRect) -> Void
    ) {
        height.part(among: count, spacing: frame.spacing, least: frame.least, weight: weight) {
            body($0, PixelRect(left: left, top: top + $1.lowerBound, width: width, height: Int32($1.count)))
        }
    }

    fileprivate func forEachColumn(
        of count: Int, _ frame: Mosaic.Frame, _ weight: (Int) -> Int64, _ body: (Int, PixelRect) -> Void
    ) {
        width.part(among: count, spacing: frame.spacing, least: frame.least, weight: weight) {
            body($0, PixelRect(left: left + $1.lowerBound, top: top, width: Int32($1.count), height: height))
        }
    }
}
