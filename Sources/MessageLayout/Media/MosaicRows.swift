/// The number of pictures in each row of an album: four bits a row, in one number.
struct MosaicRows: Hashable, ExpressibleByArrayLiteral {
    private var packed: UInt64 = 0
    private(set) var count = 0

    init(arrayLiteral counts: Int...) { for count in counts { append(count) } }

    mutating func append(_ pictures: Int) {
        packed |= UInt64(pictures) << UInt64(4 * count)
        count += 1
    }

    mutating func removeLast() {
        count -= 1
        packed &= 1 << UInt64(4 * count) - 1
    }

    private func pictureCount(in row: Int) -> Int { Int(packed >> UInt64(4 * row) & 15) }

    func pictures(in row: Int) -> Range<Int> {
        let first = (0..<row).reduce(0) { $0 + pictureCount(in: $1) }
        return first..<first + pictureCount(in: row)
    }

    var most: Int { (0..<count).reduce(0) { max($0, pictureCount(in: $1)) } }
}

/// Tries all ways to part pictures into up to four rows of one to four, and finds the one whose height is nearest to
/// the ideal. No row's height is computed twice.
struct MosaicSearch {
    private static let mostRows = 4
    private static let mostColumns = 4

    private let pictures: Int
    private let frame: Mosaic.Frame
    private let ideal: Int64
    /// The heights of rows: `heights[4 * first + count - 1]` for the row of `count` pictures from `first` on.
    private var heights = InlineArray<40, Int64>(repeating: 0)
    private var rows: MosaicRows = []
    private var found: (rows: MosaicRows, distance: Int64)?
    /// The best rows whose cells are not too small: they win over all others.
    private var fitting: (rows: MosaicRows, distance: Int64)?

    init(_ ratios: [Ratio], _ frame: Mosaic.Frame) {
        (pictures, self.frame) = (ratios.count, frame)
        ideal = min(Int64(frame.width) * 4 / 3, Int64(frame.height))
        for first in ratios.indices {
            for count in 1...min(Self.mostColumns, ratios.count - first) {
                heights[Self.mostColumns * first + count - 1] = frame.rowHeight(of: first..<first + count, ratios)
            }
        }
    }

    mutating func best() -> MosaicRows {
        search(from: 0, height: 0, most: 0)
        return (fitting ?? found)!.rows
    }

    /// Tries all rows for the pictures from `first` on, below rows that are `height` high together.
    private mutating func search(from first: Int, height: Int64, most: Int) {
        guard first < pictures else { return note(height + frame.spacing(between: rows.count), most) }
        guard rows.count < Self.mostRows else { return }
        for count in 1...min(Self.mostColumns, pictures - first) {
            rows.append(count)
            search(
                from: first + count, height: height + heights[Self.mostColumns * first + count - 1],
                most: max(most, count))
            rows.removeLast()
        }
    }

    /// Keeps the rows if they are better than the best so far; of equals, the first stays.
    private mutating func note(_ height: Int64, _ most: Int) {
        let distance = abs(height - ideal)
        if distance < found?.distance ?? .max { found = (rows, distance) }
        guard distance < fitting?.distance ?? .max, frame.fits(columns: most, rows: rows.count) else {
            return
        }
        fitting = (rows, distance)
    }
}
