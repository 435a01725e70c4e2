/// An album: up to ten pictures that together fill one rectangle, in their order.
///
///     let frame = Mosaic.Frame(width: 280, height: 420, spacing: 2, least: 60)
///     Mosaic(of: [photo, photo, portrait].map(\.size), in: frame).cells  // one above two
///
/// All lengths are whole pixels, so that it comes out alike on every machine. Pictures are cut to their cells.
package struct Mosaic: Hashable, Sendable {
    package private(set) var size: PixelSize
    package private(set) var cells: [Cell]

    package struct Cell: Hashable, Sendable {
        /// The rectangle, counted from the side on which lines start: mirror it for lines from the right.
        package var rect: PixelRect
        /// The corners that are corners of the album.
        package var corners: Corners

        package init(rect: PixelRect, corners: Corners) {
            self.rect = rect
            self.corners = corners
        }
    }

    /// The limits of an album.
    package struct Frame: Hashable, Sendable {
        package let width: Int32
        /// The greatest height that the album may have.
        package let height: Int32
        package let spacing: Int32
        /// The least side of a cell, as long as the box has room for so many.
        package let least: Int32

        /// The greatest length: more than any screen has, and little enough for sums of products.
        package static let longest: Int32 = 1 << 20

        package init(width: Int32, height: Int32, spacing: Int32, least: Int32) {
            func clamped(_ length: Int32) -> Int32 { min(max(length, 0), Self.longest) }
            (self.width, self.height) = (clamped(width), clamped(height))
            (self.spacing, self.least) = (clamped(spacing), clamped(least))
        }
    }

    /// The most pictures; further ones have no cell.
    package static let mostPictures = 10

    /// A picture of unknown size, with a side of 0, counts as square.
    package init(of pictures: [PixelSize], in frame: Frame) {
        let ratios = pictures.prefix(Self.mostPictures).map(Ratio.init)
        guard !ratios.isEmpty else {
            (size, cells) = (.zero, [])
            return
        }
        let plan = MosaicPlan.best(for: ratios, in: frame)
        size = PixelSize(width: frame.width, height: plan.height(of: ratios, in: frame))
        let bounds = PixelRect(left: 0, top: 0, width: size.width, height: size.height)
        var cells: [Cell] = []
        cells.reserveCapacity(ratios.count)
        plan.forEachCell(of: ratios, in: bounds, frame) {
            cells.append(Cell(rect: $0, corners: Corners(of: $0, in: bounds)))
        }
        self.cells = cells
    }
}

/// Width by height, in thousandths. A picture that is flatter or higher than usual is cut in an album.
struct Ratio {
    var thousandths: Int64

    init(_ picture: PixelSize) {
        guard picture.width > 0, picture.height > 0 else {
            thousandths = 1000
            return
        }
        thousandths = min(max(Int64(picture.width) * 1000 / Int64(picture.height), 667), 1800)
    }

    var isWide: Bool { thousandths > 1200 }
    var isNarrow: Bool { thousandths < 800 }
    /// Height by width.
    var inverse: Int64 { 1_000_000 / thousandths }
}

extension Corners {
    fileprivate init(of rect: PixelRect, in bounds: PixelRect) {
        self = []
        let (isFirst, isLast) = (rect.left == bounds.left, rect.right == bounds.right)
        if rect.top == bounds.top {
            if isFirst { insert(.topStart) }
            if isLast { insert(.topEnd) }
        }
        if rect.bottom == bounds.bottom {
            if isFirst { insert(.bottomStart) }
            if isLast { insert(.bottomEnd) }
        }
    }
}
