#if canImport(UIKit)
    public import UIKit

    /// The places of rows for a collection view. They come from a window: nothing is measured or estimated, and only
    /// the attributes that are asked for are made.
    ///
    /// The content is as high as the whole conversation. Item n is row n of the window.
    public final class WindowLayout: UICollectionViewLayout {
        /// The window, shown from the next layout on. Scroll by `Viewport.follow`.
        public var window = Window.none { didSet { invalidateLayout() } }
        /// The device pixels to a point.
        public var scale: CGFloat = 1 { didSet { invalidateLayout() } }

        private var width: CGFloat { collectionView?.bounds.width ?? 0 }

        public override var collectionViewContentSize: CGSize {
            CGSize(width: width, height: CGFloat(window.extent.upperBound - window.extent.lowerBound) / scale)
        }

        public override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
            let origin = window.extent.lowerBound
            let top = origin + Int64((rect.minY * scale).rounded(.down))
            let bottom = origin + Int64((rect.maxY * scale).rounded(.up))
            return window.rows(in: top..<max(top, bottom)).map(attributes)
        }

        public override func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? {
            window.indices.contains(path.item) ? attributes(path.item) : nil
        }

        /// Only another width needs another layout, and then the window is another one, too.
        public override func shouldInvalidateLayout(forBoundsChange bounds: CGRect) -> Bool { bounds.width != width }

        private func attributes(_ item: Int) -> UICollectionViewLayoutAttributes {
            let row = window[item]
            let attributes = UICollectionViewLayoutAttributes(forCellWith: IndexPath(item: item, section: 0))
            attributes.frame = CGRect(
                x: 0, y: CGFloat(row.y - window.extent.lowerBound) / scale, width: width,
                height: CGFloat(row.height) / scale)
            return attributes
        }
    }
#endif
