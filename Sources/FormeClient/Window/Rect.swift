package import MessageLayout

/// A rectangle in whole device pixels; y grows downward.
public struct Rect: Hashable, Sendable {
    public var left: Int32
    public var top: Int32
    public var width: Int32
    public var height: Int32

    public init(left: Int32, top: Int32, width: Int32, height: Int32) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// An empty rectangle; it also stands for one that is absent.
    public static let zero = Rect(left: 0, top: 0, width: 0, height: 0)

    public var right: Int32 { left &+ width }
    public var bottom: Int32 { top &+ height }
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    public func moved(right x: Int32, down y: Int32) -> Rect {
        Rect(left: left &+ x, top: top &+ y, width: width, height: height)
    }
}

extension Rect {
    package init(_ rect: PixelRect) {
        self.init(left: rect.left, top: rect.top, width: rect.width, height: rect.height)
    }
    package init(_ rect: PixelRect?) { self = rect.map { Rect($0) } ?? .zero }
}
