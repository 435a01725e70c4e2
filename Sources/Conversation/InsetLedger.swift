/// Covers of a screen's edges, by reason: keyboard, banner, composer. They add up, and to set one again changes
/// nothing.
package struct InsetLedger: Hashable, Sendable {
    private var insets: [String: Insets] = [:]

    /// The covered heights at the two edges, in device pixels.
    package struct Insets: Hashable, Sendable {
        package var top: Int32
        package var bottom: Int32
        package init(top: Int32 = 0, bottom: Int32 = 0) { (self.top, self.bottom) = (top, bottom) }
        package static let zero = Insets()
    }

    package init() {}

    package subscript(reason: String) -> Insets {
        get { insets[reason] ?? .zero }
        set { insets[reason] = newValue == .zero ? nil : newValue }
    }

    package var sum: Insets {
        insets.values.reduce(.zero) { Insets(top: $0.top + $1.top, bottom: $0.bottom + $1.bottom) }
    }
}
