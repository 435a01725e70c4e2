// The part of UIKit that the collection view layout and the cell use, so that they are type-checked where it is not.
@_exported import Foundation

@MainActor open class UIView: NSObject {
    public var frame = CGRect.zero
    public var bounds = CGRect.zero
    public var isHidden = false
    public func insertSubview(_ view: UIView, at place: Int) {}
    public func removeFromSuperview() {}
}

@MainActor open class UICollectionView: UIView {}

@MainActor open class UICollectionViewCell: UIView {
    public var contentView: UIView { self }
}

@MainActor open class UICollectionViewLayoutAttributes: NSObject {
    public convenience init(forCellWith path: IndexPath) { self.init() }
    public var frame = CGRect.zero
}

@MainActor open class UICollectionViewLayout: NSObject {
    public var collectionView: UICollectionView? { nil }
    open var collectionViewContentSize: CGSize { .zero }
    open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
    open func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    open func shouldInvalidateLayout(forBoundsChange bounds: CGRect) -> Bool { false }
    open func invalidateLayout() {}
}

extension IndexPath {
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    public var item: Int { self[1] }
}
